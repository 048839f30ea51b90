// What the http room knows of the other machines.

import type { Cluster } from '../cluster/membership.ts';

export interface ClusterEdge extends Pick<Cluster, 'node' | 'peers' | 'forward'> {
  isReadable: () => boolean;
}
