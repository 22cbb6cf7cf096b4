// Java 11: the value of the `signature` header. The body is signed as it is sent.

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Sign {
    static String v1(String apiKey, String secret, String ms) throws GeneralSecurityException {
        return ms + "." + hmac(secret, ms + "." + apiKey);
    }

    static String v2(
            String apiKey, String secret, String method, String path, byte[] body, String ms, String nonce)
            throws GeneralSecurityException {
        String digest = hex(MessageDigest.getInstance("SHA-256").digest(body));
        String text = String.join("\n", "v2", ms, nonce, apiKey, method, path, digest);
        return "v2." + ms + "." + nonce + "." + hmac(secret, text);
    }

    static String nowMs() {
        return Long.toString(System.currentTimeMillis());
    }

    static String newNonce() {
        return UUID.randomUUID().toString();
    }

    private static String hmac(String secret, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        return hex(mac.doFinal(text.getBytes(UTF_8)));
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) text.append(String.format("%02x", one));
        return text.toString();
    }
}
