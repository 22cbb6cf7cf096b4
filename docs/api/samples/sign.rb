# Ruby: the value of the `signature` header. The body is signed as it is sent.
require "openssl"
require "securerandom"

def sign_v1(api_key, secret, ms: (Time.now.to_f * 1000).to_i.to_s)
  "#{ms}.#{OpenSSL::HMAC.hexdigest("SHA256", secret, "#{ms}.#{api_key}")}"
end

def sign_v2(api_key, secret, method, path, body = "",
            ms: (Time.now.to_f * 1000).to_i.to_s, nonce: SecureRandom.hex(16))
  digest = OpenSSL::Digest::SHA256.hexdigest(body)
  text = ["v2", ms, nonce, api_key, method, path, digest].join("\n")
  "v2.#{ms}.#{nonce}.#{OpenSSL::HMAC.hexdigest("SHA256", secret, text)}"
end
