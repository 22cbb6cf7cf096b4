<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\ConnectionException;
use Disburse\Exceptions\TimeoutException;

/**
 * One attempt: a request and its response, over a stream of its own. PHP's own HTTP wrapper has no limit for a whole
 * response and takes one that broke off for a complete one, so this reads HTTP itself.
 */
final class Exchange
{
    private const HEAD_BYTES_MAX = 65_536;
    public readonly int $status;
    /** @var array<string, string> by name in lower case */
    public readonly array $headers;
    /** @var resource */
    private $stream;
    private string $buffer = '';
    private string $warning = '';
    private float $endS;

    /** @param array<string, string> $headers */
    public function __construct(
        private readonly Settings $settings,
        private readonly int $timeoutMs,
        string $method,
        string $target,
        array $headers,
        ?string $body,
    ) {
        $this->extend($timeoutMs / 1000);
        $this->connect();
        $default = $settings->scheme === 'https' ? 443 : 80;
        $host = $settings->host . ($settings->port === $default ? '' : ":$settings->port");
        $headers = ['host' => $host, ...$headers, 'connection' => 'close'];
        if ($body !== null) {
            $headers['content-length'] = (string) strlen($body);
        }
        $lines = array_map(fn ($name, $value) => "$name: $value\r\n", array_keys($headers), $headers);
        $this->write("$method $target HTTP/1.1\r\n" . implode($lines) . "\r\n$body");
        do {
            [$status, $head] = $this->readHead();
        } while ($status < 200);
        $this->status = $status;
        $this->headers = $head;
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Everything must have arrived within this time. */
    public function extend(float $seconds): void
    {
        $this->endS = hrtime(true) / 1e9 + $seconds;
    }

    public function close(): void
    {
        if (is_resource($this->stream)) {
            fclose($this->stream);
        }
    }

    public function read(): Reply
    {
        try {
            $body = implode(iterator_to_array($this->pieces(), false));
            return new Reply($this->status, $this->headers, $body);
        } finally {
            $this->close();
        }
    }

    /** The body as it arrives. Throws if it ends too early. @return \Generator<int, string> */
    public function pieces(): \Generator
    {
        if (str_contains(strtolower($this->headers['transfer-encoding'] ?? ''), 'chunked')) {
            while (($left = $this->readChunkLength()) > 0) {
                yield from $this->take($left);
                $this->readLine();
            }
        } elseif (isset($this->headers['content-length'])) {
            yield from $this->take((int) $this->headers['content-length']);
        } elseif ($this->status !== 204 && $this->status !== 304) {
            do {
                yield $this->buffer;
                $this->buffer = '';
            } while ($this->fill());
        }
    }

    /** So many bytes, in pieces. @return \Generator<int, string> */
    private function take(int $left): \Generator
    {
        while ($left > 0) {
            if ($this->buffer === '' && !$this->fill()) {
                throw $this->failure('it broke off');
            }
            $piece = substr($this->buffer, 0, $left);
            $this->buffer = substr($this->buffer, strlen($piece));
            $left -= strlen($piece);
            yield $piece;
        }
    }

    private function readChunkLength(): int
    {
        $line = $this->readLine();
        if (preg_match('/^([0-9a-f]{1,8})\s*(;|$)/i', $line, $found) !== 1) {
            throw $this->failure('it is no HTTP');
        }
        return (int) hexdec($found[1]);
    }

    /** @return array{int, array<string, string>} */
    private function readHead(): array
    {
        if (preg_match('#^HTTP/1\.[01] (\d{3})(?: |$)#', $this->readLine(), $found) !== 1) {
            throw $this->failure('it is no HTTP');
        }
        $headers = [];
        while (($line = $this->readLine()) !== '') {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $name = strtolower($name);
            $headers[$name] = isset($headers[$name]) ? "$headers[$name], " . trim($value) : trim($value);
        }
        return [(int) $found[1], $headers];
    }

    private function readLine(): string
    {
        while (($end = strpos($this->buffer, "\n")) === false) {
            if (strlen($this->buffer) > self::HEAD_BYTES_MAX || !$this->fill()) {
                throw $this->failure('it broke off');
            }
        }
        $line = substr($this->buffer, 0, $end);
        $this->buffer = substr($this->buffer, $end + 1);
        return rtrim($line, "\r");
    }

    /** Waits for more bytes. False at the end of the connection. */
    private function fill(): bool
    {
        while (true) {
            // First what TLS has decrypted already: waiting would not see it.
            $piece = $this->quietly(fn () => fread($this->stream, 65_536));
            if (is_string($piece) && $piece !== '') {
                $this->buffer .= $piece;
                return true;
            }
            if ($piece === false || feof($this->stream)) {
                return false;
            }
            $this->wait([$this->stream], []);
        }
    }

    private function write(string $bytes): void
    {
        while ($bytes !== '') {
            $written = $this->quietly(fn () => fwrite($this->stream, $bytes));
            if ($written === false) {
                // The server may have refused the request before its end, so its response counts.
                return;
            }
            $bytes = substr($bytes, $written);
            if ($written === 0) {
                $this->wait([], [$this->stream]);
            }
        }
    }

    /**
     * @param list<resource> $reading
     * @param list<resource> $writing
     */
    private function wait(array $reading, array $writing): void
    {
        $leftUs = (int) (($this->endS - hrtime(true) / 1e9) * 1e6);
        $none = [];
        if ($leftUs <= 0) {
            throw $this->late();
        }
        $this->quietly(function () use ($reading, $writing, $none, $leftUs) {
            return stream_select($reading, $writing, $none, intdiv($leftUs, 1_000_000), $leftUs % 1_000_000);
        });
    }

    private function connect(): void
    {
        ['scheme' => $scheme, 'host' => $host, 'port' => $port] = get_object_vars($this->settings);
        $context = stream_context_create(['ssl' => ['peer_name' => trim($host, '[]'), ...$this->settings->tls]]);
        $address = ($scheme === 'https' ? 'tls' : 'tcp') . "://$host:$port";
        [$number, $reason] = [0, ''];
        $stream = $this->quietly(function () use ($address, $context, &$number, &$reason) {
            $limitS = $this->timeoutMs / 1000;
            return stream_socket_client($address, $number, $reason, $limitS, STREAM_CLIENT_CONNECT, $context);
        });
        if ($stream === false) {
            $isLate = hrtime(true) / 1e9 >= $this->endS || stripos($reason, 'timed out') !== false;
            throw $isLate ? $this->late() : $this->failure($reason ?: $this->warning);
        }
        $this->stream = $stream;
        stream_set_blocking($stream, false);
    }

    private function late(): TimeoutException
    {
        $message = "no answer from {$this->settings->origin()} within $this->timeoutMs ms";
        return new TimeoutException($message, 'TIMED_OUT');
    }

    private function failure(string $reason): ConnectionException
    {
        $message = "no answer from {$this->settings->origin()} ($reason)";
        return new ConnectionException($message, 'CONNECTION_FAILED');
    }

    /** Runs without PHP's warnings: the result says that it failed, and the first warning may say why. */
    private function quietly(\Closure $run): mixed
    {
        $this->warning = '';
        set_error_handler(function (int $level, string $message): bool {
            $this->warning = $this->warning ?: strtr($message, "\n", ' ');
            return true;
        });
        try {
            return $run();
        } finally {
            restore_error_handler();
        }
    }
}
