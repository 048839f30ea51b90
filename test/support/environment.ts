// What the tests take over from the environment that they are started in: nothing that a desk or its program would obey.

/** Set by the scripts that run tests, or by hand for a longer run; no desk reads them. */
const ours = /^HELPDESK_(?:TEST_\w+|BUILD|EXECUTABLE|NODE|KILLS|REPORTS)$/;
const obeyed = /^(?:HELPDESK_.*|TZ|LANG|LANGUAGE|LC_.*|NO_COLOR|FORCE_COLOR)$/;

type Environment = Record<string, string | undefined>;

/** A copy without the settings of a desk, language and colours, and in UTC. */
export function plainEnvironment(given: Environment): Environment {
  const kept = Object.entries(given).filter(([name]) => ours.test(name) || !obeyed.test(name));
  return { ...Object.fromEntries(kept), TZ: 'UTC' };
}
