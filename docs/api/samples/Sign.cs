// C#, .NET 6: the value of the `signature` header. The body is signed as it is sent.

using System;
using System.Security.Cryptography;
using System.Text;

public static class Sign
{
    public static string V1(string apiKey, string secret, string ms) =>
        $"{ms}.{Hmac(secret, $"{ms}.{apiKey}")}";

    public static string V2(
        string apiKey, string secret, string method, string path, byte[] body, string ms, string nonce)
    {
        var digest = Hex(SHA256.HashData(body));
        var text = string.Join("\n", "v2", ms, nonce, apiKey, method, path, digest);
        return $"v2.{ms}.{nonce}.{Hmac(secret, text)}";
    }

    public static string NowMs() => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds().ToString();

    public static string NewNonce() => Guid.NewGuid().ToString();

    private static string Hmac(string secret, string text) =>
        Hex(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), Encoding.UTF8.GetBytes(text)));

    private static string Hex(byte[] bytes) => Convert.ToHexString(bytes).ToLowerInvariant();
}
