// helpdesk promote: makes this machine of a cluster the primary, without a lost write or a doubled delivery.

import type { Command } from 'commander';
import { monotonicMs } from '../../src/base/clock.ts';
import type { Config } from '../../src/base/config.ts';
import { silentLog } from '../../src/base/log.ts';
import { type Cluster, joinCluster } from '../../src/cluster/membership.ts';
import { takeOver } from '../../src/cluster/take-over.ts';
import { databasePathOf } from '../../src/data/layout.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { configOf } from '../flags.ts';

const roleMs = 10_000;
const lookEveryMs = 50;

export function promoteCommands(program: Command): void {
  addCommand(
    program,
    'promote',
    'make this machine of a cluster the primary; the primary ends its deliveries and hands over',
    'helpdesk promote',
  ).action(async (options: CommonOptions) => {
    const config = configOf(options);
    const cluster = await joinCluster(config, databasePathOf(config), silentLog);
    if (cluster === null) throw new UsageError('Only a desk on LiteFS has other machines (HELPDESK_LITEFS_DIR).');
    try {
      const from = cluster.isPrimary() ? null : await becomePrimary(config, cluster);
      const text =
        from === null ? 'This machine is the primary already.' : `${from} handed over: this machine is the primary.`;
      show(options, { json: { data: { role: 'primary', former_primary: from } }, text: () => text });
    } finally {
      cluster.stop();
    }
  });
}

async function becomePrimary({ HELPDESK_LITEFS_URL: litefs }: Config, cluster: Cluster): Promise<string> {
  const { node, peers } = cluster;
  const host = node.primaryHost();
  if (host === null) throw new UsageError('No primary is known, so none can hand over. LiteFS elects one by itself.');
  // A desk whose LiteFS hangs accepts connections and answers nothing.
  if (!(await cluster.primaryWatch.answers(host)))
    throw new UsageError(
      `The primary, ${host}, does not answer: its machine, its desk or its LiteFS hangs, so it cannot hand over. Nothing was changed. Restart LiteFS on this machine, so that it can take the lease.`,
    );
  const fault = await takeOver(peers, litefs, host);
  if (fault !== null) throw new UsageError(fault);
  const until = monotonicMs() + roleMs;
  while ((await node.refresh()) !== 'primary') {
    if (monotonicMs() > until)
      throw new UsageError(`LiteFS did not make this machine the primary within ${roleMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return host;
}
