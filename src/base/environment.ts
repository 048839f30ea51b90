// What the desk reads from the environment besides settings: the host, the terminal, and what child processes inherit.

export type Environment = Record<string, string | undefined>;

export function isOnFly(environment: Environment = process.env): boolean {
  return (environment.FLY_APP_NAME ?? '') !== '' && (environment.FLY_MACHINE_ID ?? '') !== '';
}

export function isColourWanted(isTerminal: boolean | undefined): boolean {
  return isTerminal === true && (process.env.NO_COLOR ?? '') === '';
}

export function childEnvironment(environment: Environment = process.env): Record<string, string> {
  const names = ['PATH', 'TZ', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}
