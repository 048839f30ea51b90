// Settings of the environment: what each is, and where it came from. They are changed where the desk is started.

import type { EnvironmentSetting } from '../../../../http/wire/system.ts';
import { t } from './messages.ts';

export function Environment({ settings }: { settings: readonly EnvironmentSetting[] }) {
  const sources: Readonly<Record<EnvironmentSetting['source'], string>> = {
    environment: t.fromEnvironment,
    file: t.fromFile,
    command_line: t.fromCommandLine,
    console: t.fromConsole,
    default: t.fromDefault,
  };
  return (
    <ul class="panel environment">
      {settings.map(({ name, value, source, meaning }) => (
        <li key={name}>
          <p>
            <code>{name}</code>
            <span class="soft">{sources[source]}</span>
          </p>
          {value !== '' && (
            <p>
              <code>{value}</code>
            </p>
          )}
          <p class="soft" lang="en">
            {meaning}
          </p>
        </li>
      ))}
    </ul>
  );
}
