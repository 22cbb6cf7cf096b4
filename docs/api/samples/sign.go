// Go: the value of the `signature` header. The body is signed as it is sent.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// SignV1 takes the time from NowMs.
func SignV1(apiKey, secret, ms string) string {
	return ms + "." + hexHmac(secret, ms+"."+apiKey)
}

// SignV2 takes the time from NowMs, and a nonce of its own from NewNonce.
func SignV2(apiKey, secret, method, path string, body []byte, ms, nonce string) string {
	digest := sha256.Sum256(body)
	lines := []string{"v2", ms, nonce, apiKey, method, path, hex.EncodeToString(digest[:])}
	return "v2." + ms + "." + nonce + "." + hexHmac(secret, strings.Join(lines, "\n"))
}

func NowMs() string { return strconv.FormatInt(time.Now().UnixMilli(), 10) }

func NewNonce() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

func hexHmac(secret, text string) string {
	code := hmac.New(sha256.New, []byte(secret))
	code.Write([]byte(text))
	return hex.EncodeToString(code.Sum(nil))
}
