/** The last second of the year 9999. Postgres refuses some later times, and clients cannot show them. */
export const LAST_TIMESTAMP = 253_402_300_799
