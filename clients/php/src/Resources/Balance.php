<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\PagedList;
use Disburse\Schemas;
use Disburse\Times;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type Balance from Schemas
 * @phpstan-import-type FundingInstructions from Schemas
 * @phpstan-import-type BalanceEntriesFilter from Schemas
 * @phpstan-import-type BalanceEntry from Schemas
 * @phpstan-import-type BalanceStatementFilter from Schemas
 * @phpstan-import-type BalanceStatement from Schemas
 */
final class Balance
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Get the balances, by currency.
     *
     * @return list<Balance>
     */
    public function get(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/balance', [], $timeoutMs, $maxRetries);
    }

    /**
     * Get the bank accounts and deposit references that fund the balances. For each currency that a bank connection can
     * pay for you, and each that you have a balance in. A transfer with the deposit reference funds the balance when
     * the bank reports it.
     *
     * @return FundingInstructions
     */
    public function funding(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/balance/funding', [], $timeoutMs, $maxRetries);
    }

    /**
     * List the ledger entries of one currency. Newest first, with the balance after each entry. The link header names
     * the next page. With `accept: text/csv` the response is CSV.
     *
     * @param BalanceEntriesFilter $filter
     * @return PagedList<BalanceEntry>
     */
    public function entries(array $filter, ?int $timeoutMs = null, ?int $maxRetries = null): PagedList
    {
        return $this->connection->list(
            '/api/balance/entries',
            Times::in($filter, 'from', 'to'),
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Get the statement of one currency. One line for each movement, oldest first, with the balance after it:
     * available, held and in transit. A payout leaves the balance when the bank has paid it. The link header names the
     * next page. With `accept: text/csv` or `accept: application/pdf` the response is the whole statement.
     *
     * @param BalanceStatementFilter $filter
     * @return BalanceStatement
     */
    public function statement(array $filter, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->whole('/api/balance/statement', $filter, $timeoutMs, $maxRetries);
    }
}
