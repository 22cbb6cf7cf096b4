<?php

// The story in PHP. It prints the same as story.ts.

declare(strict_types=1);

use Disburse\Disburse;
use Disburse\Exceptions\DisburseException;
use Disburse\Exceptions\WebhookVerificationException;
use Disburse\Signature;
use Disburse\Webhooks;

// As Composer's autoloader does it.
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/../php/src/' . str_replace(['Disburse\\', '\\'], ['', '/'], $class) . '.php';
});
error_reporting(E_ALL);
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $level, $file, $line);
});

$given = json_decode(getenv('STORY'), true, flags: JSON_THROW_ON_ERROR);
['key' => $key, 'secret' => $secret, 'baseUrl' => $baseUrl, 'hookUrl' => $hookUrl] = $given;
$disburse = new Disburse($key, $secret, $baseUrl);

const PERSON = [
    'first_name' => 'Zoë',
    'last_name' => "O'Brien",
    'email' => 'zoe@example.com',
    'dob' => '1990-02-28',
    'dialcode' => '61',
    'phone' => '412345678',
    'address' => '1 St. Kilda Road',
    'address2' => '',
    'gender' => 'F',
    'city' => 'Melbourne',
    'state' => 'VIC',
    'postcode' => '3004',
    'country' => 'AUS',
    'reference' => 'customer 7',
];
const BANK_ACCOUNT = ['account_type' => 'I', 'account_number' => '012345678', 'bsb' => '062000'];

/** What a caller sees of a failure. */
function failure(Closure $call): mixed
{
    try {
        $call();
        return 'no failure';
    } catch (WebhookVerificationException $error) {
        return $error->reason;
    } catch (DisburseException $error) {
        $fields = array_map(fn (array $one) => [$one['code'], $one['field'] ?? null], $error->errors);
        $name = str_replace(['Disburse\\Exceptions\\', 'Exception'], '', $error::class);
        return ['name' => $name, 'code' => $error->errorCode, 'status' => $error->status, 'fields' => $fields];
    } catch (InvalidArgumentException) {
        return 'not sent';
    }
}

$receivers = function () use ($disburse): array {
    $made = $disburse->receivers->create(PERSON);
    $id = $made['receiver_id'];
    $created = $disburse->receivers->get($id);
    $changed = $disburse->receivers->update($id, ['phone' => '412345679']);
    $disburse->testHelpers->setStatus(['id' => $id, 'type' => 'kyc', 'status' => 'success']);
    $countOf = fn (array $filter): int => count($disburse->receivers->list($filter)->toArray());
    $history = $disburse->receivers->history($id)->toArray();
    return [$id, [
        'code' => $made['kyc_status'],
        'name' => "{$created['first_name']} {$created['last_name']}",
        'city' => $created['address_data']['city'],
        'phone' => $changed['phone'],
        'status' => $disburse->receivers->get($id)['status'],
        'listed' => [
            $countOf(['email' => 'ZOE@example.com']),
            $countOf(['status' => 'active', 'kyc_status' => 'completed']),
            $countOf(['status' => 'failed']),
        ],
        'history' => [$history[0]['to']['status'], end($history)['from']],
    ]];
};

$accounts = function (string $receiverId) use ($disburse): array {
    $checked = $disburse->receiverAccounts->validate([...BANK_ACCOUNT, 'country' => 'AUS']);
    $made = $disburse->receiverAccounts->create([...BANK_ACCOUNT, 'receiver_id' => $receiverId]);
    $id = $made['account_id'];
    $changed = $disburse->receiverAccounts->update($id, ['aka' => 'Zoë B.']);
    return [$id, [
        'checked' => $checked['bank_account_data']['bsb'],
        'status' => $made['status'],
        'aka' => $changed['aka'],
        'number' => $disburse->receiverAccounts->get($id)['bank_account_data']['account_number'],
        'listed' => count($disburse->receiverAccounts->list($receiverId)),
        'schema' => $disburse->receiverAccounts->schema('AUS')['type'],
    ]];
};

$payouts = function (Closure $paying) use ($disburse, $given): array {
    $funded = $disburse->testHelpers->fund(['amount' => '1000000', 'currency' => 'AUD']);
    $dryRun = $disburse->payouts->validate($paying(12_500, 'invoice 7'));
    $create = fn () => $disburse->payouts->create($paying(12_500, 'invoice 7'), idempotencyKey: 'invoice-7');
    $id = $create()['payout_id'];
    $again = $create();
    $made = $disburse->payouts->createBatch([$paying(5_000, 'invoice 8'), $paying('20000', 'invoice 9')]);
    $batch = $disburse->payouts->batch($made['batch_id']);
    $cancelled = $disburse->payouts->cancel($made['payouts'][0]['payout_id']);
    $disburse->testHelpers->setStatus(['id' => $id, 'type' => 'payout', 'status' => 'success']);
    $paid = $disburse->payouts->get($id);
    $stage = $disburse->payouts->history($id)[0]['to']['stage'];
    $failed = $disburse->payouts->list(['status' => 'failed', 'from' => '2024-11-15'])->toArray();
    $none = $disburse->payouts->list(['from' => new DateTimeImmutable('+1 hour')])->toArray();
    $entries = $disburse->balance->entries(['currency' => 'AUD', 'limit' => 2])->toArray();
    $lines = $disburse->balance->statement(['currency' => 'AUD'] + $given['days'])['lines'];
    $currency = $disburse->balance->funding()['currencies'][0];
    return [$id, [
        'funded' => $funded['available'],
        'accepted' => $dryRun['accepted'],
        'isSame' => $again['payout_id'] === $id,
        'batch' => [$batch['count'], $batch['totals']],
        'cancelled' => $cancelled['stage'],
        'paid' => [$paid['status'], $paid['stage'], $paid['amount'], $stage],
        'failed' => array_column($failed, 'reference'),
        'none' => count($none),
        'balance' => $disburse->balance->get()[0],
        'entries' => array_column($entries, 'kind'),
        'statement' => array_map(fn (array $line) => [$line['kind'], $line['amount']], $lines),
        'depositReference' => $currency['deposit_reference'] !== '',
    ]];
};

$refusals = function (Closure $paying, string $paidId) use ($disburse, $given, $key, $secret, $baseUrl): array {
    $unknown = '0190f3a2-7b3c-7d1e-8f00-0123456789ab';
    ['key' => $readerKey, 'secret' => $readerSecret] = $given['reader'];
    $other = fn (string $key, string $secret, string $url) => new Disburse($key, $secret, $url);
    $wrong = ['email' => 'wrong', 'country' => 'Australia'] + PERSON;
    return array_map(failure(...), [
        'unknownReceiver' => fn () => $disburse->receivers->get($unknown),
        'unknownEvent' => fn () => $disburse->events->get('evt_1'),
        'takenEmail' => fn () => $disburse->receivers->create(PERSON),
        'wrongFields' => fn () => $disburse->receivers->create($wrong),
        'wrongFilter' => fn () => $disburse->payouts->list(['limit' => 5000])->page(),
        'unknownAccount' => fn () => $disburse->payouts->create($paying(1, 'a', $unknown)),
        'duplicate' => fn () => $disburse->payouts->create($paying(12_500, 'invoice 7')),
        'wrongRow' => fn () => $disburse->payouts->createBatch([$paying(1, 'b'), $paying(0, 'c')]),
        'funds' => fn () => $disburse->payouts->create($paying(10 ** 12, 'd')),
        'paid' => fn () => $disburse->payouts->cancel($paidId),
        'usedKey' => fn () => $disburse->payouts->create($paying(1, 'e'), 'invoice-7'),
        'wrongSecret' => fn () => $other($key, 'sk_test_wrong', $baseUrl)->balance->get(),
        'unknownKey' => fn () => $other('ak_test_unknown', $secret, $baseUrl)->balance->get(),
        'reader' => fn () => $other($readerKey, $readerSecret, $baseUrl)->receivers->create(PERSON),
        'wrongPath' => fn () => $other($key, $secret, "$baseUrl/elsewhere")->balance->get(),
        'wrongKey' => fn () => $disburse->receivers->create(PERSON, 'two words'),
        'emptyId' => fn () => $disburse->receivers->get(''),
        'dots' => fn () => $disburse->receivers->delete('..'),
        'swapped' => fn () => $other($secret, $secret, $baseUrl),
    ]);
};

$retrying = new Disburse($key, $secret, $given['proxyUrl'], maxRetries: 6);

$retries = function (Closure $paying, string $receiverId) use ($disburse, $retrying): array {
    for ($number = 1; $number <= 30; $number += 1) {
        $retrying->payouts->create($paying(100 + $number, "retried $number"));
    }
    $retrying->receivers->update($receiverId, ['phone' => '412345670']);
    $made = array_filter(
        $retrying->payouts->list(['limit' => 5, 'status' => 'pending'])->toArray(),
        fn (array $one) => str_starts_with($one['reference'], 'retried '),
    );
    return [
        'made' => count($made),
        'different' => count(array_unique(array_column($made, 'reference'))),
        'sum' => array_sum(array_column($made, 'amount')),
        'held' => $disburse->balance->get()[0]['held'],
        'phone' => $disburse->receivers->get($receiverId)['phone'],
    ];
};

$paging = function (Closure $paying) use ($disburse): array {
    $rows = array_map(fn (int $index) => $paying(1, "row $index"), range(0, 1049));
    $made = $disburse->payouts->createBatch($rows);
    $batch = ['batch_id' => $made['batch_id']];
    $listed = $disburse->payouts->list($batch + ['limit' => 100])->toArray();
    $first = $disburse->payouts->list($batch + ['limit' => 1000])->page();
    $second = $first->next();
    $rest = $disburse->payouts->list($batch + ['cursor' => $first->nextCursor, 'limit' => 20])->toArray();
    return [
        'created' => count(array_unique(array_column($made['payouts'], 'payout_id'))),
        'listed' => count($listed),
        'different' => count(array_unique(array_column($listed, 'id'))),
        'pages' => [count($first->items), count($second->items), $second->nextCursor],
        'end' => $second->next(),
        'rest' => count($rest),
        'some' => count($disburse->payouts->list($batch + ['limit' => 2])->toArray(max: 5)),
    ];
};

function delivery(string $hookUrl, string $id): array
{
    while (true) {
        foreach (json_decode(file_get_contents($hookUrl), true) as $one) {
            if ($one['headers']['webhook-id'] === $id) {
                return $one;
            }
        }
        usleep(50_000);
    }
}

$hooks = function () use ($disburse, $secret, $hookUrl, $given): array {
    $old = $disburse->subaccount->update(['postback_url' => $hookUrl])['postback_secret'];
    $fresh = $disburse->subaccount->rotatePostbackSecret(['overlap_s' => 3600])['secret'];
    $id = $disburse->events->test(['type' => 'payoutFailure', 'set' => ['reference' => 'Café']])['id'];
    ['headers' => $headers, 'body' => $body] = delivery($hookUrl, $id);
    $verified = Webhooks::verify($body, $headers, [$old, $fresh]);
    $nowS = (int) $headers['webhook-timestamp'];
    $fails = fn (string $text, array $heads, string|array $secrets, int $at = 0) =>
        failure(fn () => Webhooks::verify($text, $heads, $secrets, now: $nowS + $at));
    $own = fn (string $text) => failure(fn () => Webhooks::verify($text, Webhooks::sign($text, $old), $old));
    $name = fn (string $secret, int $at = 0, float $toleranceS = 300) =>
        Webhooks::unwrap($body, $headers, $secret, $toleranceS, $nowS + $at)['event'];
    ['v1' => $v1, 'v2' => $v2, 'events' => $events] = $given['vectors'];
    $signed = [
        ...array_map(fn (array $one) => Signature::v1($one['api_key'], $one['secret'], (int) $one['ms']), $v1),
        ...array_map(fn (array $one) => Signature::v2(
            $one['api_key'],
            $one['secret'],
            $one['method'],
            $one['path'],
            $one['body'],
            (int) $one['ms'],
            $one['nonce'],
        ), $v2),
        ...array_map(fn (array $one) => Webhooks::sign(
            $one['body'],
            $one['secrets'],
            $one['id'],
            (int) $one['timestamp'],
        )['webhook-signature'], $events),
    ];
    $wanted = array_column([...$v1, ...$v2, ...$events], 'signature');
    return [
        'event' => [$verified->event['event'], $verified->event['reference'], $verified->isTest],
        'old' => $name($old),
        'fresh' => $name($fresh),
        'inTime' => $name($fresh, 300),
        'tolerated' => $name($fresh, 900, 900),
        'forgedBody' => $fails(str_replace('Café', 'Cafe', $body), $headers, [$old, $fresh]),
        'forgedId' => $fails($body, ['webhook-id' => 'evt_2'] + $headers, [$old, $fresh]),
        'otherSecret' => $fails($body, $headers, 'whsec_' . base64_encode(str_repeat("\7", 32))),
        'noSecret' => $fails($body, $headers, []),
        'apiSecret' => $fails($body, $headers, $secret),
        'noId' => $fails($body, array_diff_key($headers, ['webhook-id' => 0]), $old),
        'milliseconds' => $fails($body, ['webhook-timestamp' => "{$nowS}000"] + $headers, $old),
        'noSignature' => $fails($body, ['webhook-signature' => 'v1,abc'] + $headers, $old),
        'tooOld' => $fails($body, $headers, $old, 301),
        'inFuture' => $fails($body, $headers, $old, -301),
        'unknown' => $own('{"event":"payoutLost"}'),
        'notJson' => $own('event=payoutCreated'),
        'vectors' => array_map(fn (string $one, string $other) => $one === $other, $signed, $wanted),
        'resent' => $disburse->events->resend($id)['status'],
    ];
};

$feed = function () use ($disburse, $retrying): array {
    $newest = $disburse->events->list()->toArray(max: 1)[0]['id'];
    $types = ['payoutCreated', 'receiverKycUpdate', 'balanceFunded'];
    $ids = array_map(fn (string $type) => $disburse->events->test(['type' => $type])['id'], $types);
    $heard = [];
    $counts = [];
    foreach ($retrying->events->listen($newest) as $one) {
        if (!in_array($one->id, $ids, true)) {
            continue;
        }
        $counts[$one->id] = ($counts[$one->id] ?? 0) + 1;
        $isBody = json_decode($one->body, true)['event'] === $one->data['event'];
        $heard[] = [$one->type, $one->data['event'], $one->resent, $one->isTest, $isBody];
        if (count($heard) === count($types)) {
            break;
        }
    }
    return ['heard' => $heard, 'mostOften' => max($counts)];
};

// What a caller sees of a server, or a proxy in front of it, that does odd things.
$oddities = function () use ($given, $key, $secret): array {
    $at = fn (string $path, int $maxRetries = 2, int $timeoutMs = 30_000) =>
        new Disburse($key, $secret, "{$given['oddUrl']}/$path", $timeoutMs, $maxRetries);
    $read = fn (mixed ...$options) => failure(fn () => $at(...$options)->receivers->get('1'));
    return [
        'silent' => $read('silent', 0, 300),
        'stalled' => $read('stalled', 0, 300),
        'dripping' => $read('dripping', 0, 300),
        'cut' => $read('cut', 0),
        'cutChunk' => $read('cut-chunk', 0),
        'gone' => $read('gone', 0),
        'page' => $read('page', 0),
        'other' => $read('other', 0),
        'moved' => $read('moved'),
        'later' => $read('later'),
        'broken' => $read('broken', 1),
        'brokenWrite' => failure(fn () => $at('broken', 1)->receivers->create(PERSON)),
        'busy' => $at('busy')->receivers->create(PERSON)['receiver_id'],
        'running' => $at('running')->receivers->create(PERSON)['receiver_id'],
        'clock' => $at('clock', 0)->receivers->create(PERSON)['receiver_id'],
        'chunked' => $at('chunked')->receivers->get('a b/ü')['id'],
        'statement' => $at('pages')->balance->statement(['currency' => 'AUD'])['lines'],
        'loop' => failure(fn () => $at('loop')->receivers->list()->toArray()),
    ];
};

$seen = [];
[$receiverId, $seen['receivers']] = $receivers();
[$accountId, $seen['accounts']] = $accounts($receiverId);
$paying = fn (int|string $amount, string $reference, ?string $account = null): array => [
    'receiver_id' => $receiverId,
    'account_id' => $account ?? $accountId,
    'amount' => $amount,
    'currency' => 'AUD',
    'reference' => $reference,
];
[$paidId, $seen['payouts']] = $payouts($paying);
$seen['refusals'] = $refusals($paying, $paidId);
$seen['retries'] = $retries($paying, $receiverId);
$seen['paging'] = $paging($paying);
$seen['webhooks'] = $hooks();
$seen['feed'] = $feed();
$seen['oddities'] = $oddities();
echo json_encode($seen, JSON_THROW_ON_ERROR);
