// The flags of commands about agents, as input of the verbs.

import { readSite } from '../../src/desk/sites.ts';
import type { CommonOptions } from '../command.ts';
import { given, yesOrNo } from '../flags.ts';
import type { Opened } from '../opened-desk.ts';

export interface AgentFlags extends CommonOptions {
  email?: string;
  name?: string;
  role?: string;
  site?: string[];
  allSites?: boolean;
  active?: string;
}

const siteId = (opened: Opened, name: string) => opened.read((tx) => readSite(tx, opened.ctx(), name)).id;

export function inputOf(opened: Opened, flags: AgentFlags) {
  return given({
    email: flags.email,
    name: flags.name,
    role: flags.role,
    sites: flags.allSites ? [] : flags.site?.map((name) => siteId(opened, name)),
    is_active: flags.active === undefined ? undefined : yesOrNo(flags.active, '--active'),
  });
}
