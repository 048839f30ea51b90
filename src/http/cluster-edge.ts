// What the http room knows of the other machines.

import type { Cluster } from '../cluster/membership.ts';

export type ClusterEdge = Pick<Cluster, 'node' | 'peers' | 'forward' | 'replicas'>;
