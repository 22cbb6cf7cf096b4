<?php

declare(strict_types=1);

namespace Disburse;

/** What all clients share: the version, and tables of errors and events. Written by npm run generate. */
final class Tables
{
    public const VERSION = '0.1.0';

    public const EVENT_TYPES = [
        'payoutCreated', 'payoutUpdate', 'payoutFailure', 'receiverKycUpdate', 'receiverAccountUpdate', 'balanceFunded',
        'payoutOnHold', 'payoutReleased', 'webhookEndpointUpdate', 'webhookEndpointDisabled', 'payoutReturned',
        'payoutCancelled', 'payoutBatchFinished', 'receiverCreated', 'receiverUpdate', 'receiverDeactivated',
        'receiverAccountCreated', 'balanceLow', 'monthClosed',
    ];

    public const CLASS_BY_CODE = [
        'REVR101' => Exceptions\NotFoundException::class,
        'REAC101' => Exceptions\NotFoundException::class,
        'REAC104' => Exceptions\NotFoundException::class,
        'REAC211' => Exceptions\NotFoundException::class,
        'SUBA101' => Exceptions\NotFoundException::class,
        'ENDP101' => Exceptions\NotFoundException::class,
        'EVNT101' => Exceptions\NotFoundException::class,
        'PAYO101' => Exceptions\NotFoundException::class,
        'PAYO102' => Exceptions\NotFoundException::class,
        'PAYO205' => Exceptions\NotFoundException::class,
        'PAYO206' => Exceptions\NotFoundException::class,
        'REVR201' => Exceptions\ConflictException::class,
    ];

    public const CLASS_BY_STATUS = [
        400 => Exceptions\ValidationException::class,
        401 => Exceptions\AuthenticationException::class,
        403 => Exceptions\PermissionException::class,
        409 => Exceptions\ConflictException::class,
        413 => Exceptions\ValidationException::class,
        422 => Exceptions\ConflictException::class,
        429 => Exceptions\RateLimitException::class,
    ];

    public const WEBHOOK_CURES = [
        'missing_header' => 'Pass all headers of the request, and look whether a proxy drops or renames those that begin with webhook-.',
        'malformed_timestamp' => 'The webhook-timestamp header is whole seconds since 1970, as it was sent.',
        'malformed_signature' => 'The webhook-signature header holds v1,<base64>, one or more of them, parted by spaces, as it was sent.',
        'malformed_secret' => 'A secret is whsec_ and base64, with nothing around it: neither quotes nor white space. An API secret (sk_…) is something else.',
        'no_match' => 'Either the secret is another endpoint\'s or an old one, or the body has changed: pass its raw bytes, never JSON that was parsed and serialised again. `disburse verify` finds out which.',
        'too_old' => 'The signature is right. Set your clock; verify on arrival, not after a queue; or raise toleranceS.',
        'in_future' => 'The signature is right. Set your clock.',
        'not_json' => 'The signature is right, so the service sent these bytes. Inform its operator.',
        'unknown_event' => 'The signature is right. Respond with 2xx, and update this package to support the event.',
    ];
}
