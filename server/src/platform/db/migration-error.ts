// A database that this program can't migrate or use, with what to do about it.

export class MigrationError extends Error {}
