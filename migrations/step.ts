// What a migration is, and what it does besides its SQL, in the same transaction.

/** As much of SQLite and of the desk's key as such a step needs. */
export type MigrationStep = (
  database: {
    query<Row>(text: string): { all(): Row[] };
    run(text: string, values: readonly (string | number)[]): void;
  },
  seal: { seal(text: string): string } | null,
) => void;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** What SQL cannot do of it. */
  step?: MigrationStep;
  /** What all migrations up to it make, with which a new database begins. */
  whole?: string;
}
