// The log that the settings ask for.

import type { Config } from '../base/config.ts';
import { createLog, type Log } from '../base/log.ts';

export function logOf(config: Config): Promise<Log> {
  const format =
    config.HELPDESK_LOG_FORMAT === 'auto' ? (process.stderr.isTTY ? 'pretty' : 'json') : config.HELPDESK_LOG_FORMAT;
  return createLog(config.HELPDESK_LOG_LEVEL, format);
}
