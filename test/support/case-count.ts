// How long properties run: briefly with every test run, and whole in .ci/full.

/** A number of cases: the first with `bun run test`, the second with HELPDESK_TEST_LONG=1. */
export const caseCount = (few: number, all: number): number => (process.env.HELPDESK_TEST_LONG === '1' ? all : few);
