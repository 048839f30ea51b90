// Settings of a desk on several machines: LiteFS, the other machines, and their shared file store.

import * as z from 'zod';
import { entry } from './entry.ts';
import { duration, optional, origin } from './values.ts';

const peerTemplate = z.string().transform((text, check) => {
  const isTemplate = text.split('{hostname}').length === 2;
  const example = text.replace('{hostname}', '1');
  if (!isTemplate || !URL.canParse(example) || !['http:', 'https:'].includes(new URL(example).protocol)) {
    check.addIssue({
      code: 'custom',
      message: 'an http or https address with {hostname} in it, such as http://{hostname}:8080',
    });
    return z.NEVER;
  }
  return text.replace(/\/+$/, '');
});

export const clusterSettings = {
  HELPDESK_LITEFS_DIR: entry(optional, '', 'The LiteFS mount that holds the database of a cluster (docs/cluster.md).'),
  HELPDESK_LITEFS_URL: entry(
    origin.refine((url) => url !== null, { error: 'an http address such as http://127.0.0.1:20202' }).transform(String),
    'http://127.0.0.1:20202',
    'The address of LiteFS on this machine.',
  ),
  HELPDESK_PEER_URL: entry(
    peerTemplate,
    'http://{hostname}:8080',
    'Where the machines of a cluster reach one another; {hostname} stands for the name that LiteFS has for the primary.',
  ),
  HELPDESK_CONSUL_URL: entry(
    origin,
    '',
    'The Consul that elects the primary: a primary that does not hear it refuses writes. Empty for a static lease.',
  ),
  HELPDESK_MAX_SILENCE: entry(
    duration,
    '5s',
    'After how long without Consul a primary refuses writes. Half of the ttl in litefs.yml: after that, another machine can take the lease. A replica leaves a silent primary after four times this and two seconds.',
  ),
  HELPDESK_MAX_LAG: entry(
    duration,
    '30s',
    'How old the data of a replica may be while it knows a primary; /readyz fails above it.',
  ),
  HELPDESK_S3_ENDPOINT: entry(
    origin,
    '',
    'The address of an S3-compatible store for files, before a bucket that an owner sets in the browser; requires the four settings below.',
  ),
  HELPDESK_S3_BUCKET: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9._-]{1,255}$/.test(name), { error: 'the name of a bucket' }),
    '',
    'The bucket for files.',
  ),
  HELPDESK_S3_REGION: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9-]{1,64}$/.test(name), { error: 'the name of a region' }),
    '',
    'The region of the bucket; stores without regions take us-east-1 or auto.',
  ),
  HELPDESK_S3_ACCESS_KEY_ID: entry(
    optional,
    '',
    'The id of a key that can read, write, list and delete in the bucket.',
    true,
  ),
  HELPDESK_S3_SECRET_ACCESS_KEY: entry(optional, '', 'The secret of that key.', true),
};
