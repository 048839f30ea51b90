// The machine that the desk runs on, for owners (docs/spec/people.md#the-system).

import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import { machineName } from '../../base/process.ts';
import { releasesSince } from '../../base/release-notes.ts';
import { version } from '../../base/version.ts';
import { noteBackup } from '../../desk/audited-work.ts';
import { type LoggedDelivery, listOutbox } from '../../desk/outbox/log.ts';
import { retryDelivery, retrySome } from '../../desk/outbox/retry.ts';
import { readSystem } from '../../desk/system.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { fixable } from '../../domain/findings.ts';
import { retryInput } from '../../domain/input/channels.ts';
import { deliveryStatuses } from '../../domain/outbox/delivery.ts';
import type { Tx } from '../../engine/database.ts';
import { OidcFault } from '../../identity/oidc-fault.ts';
import { anyChannel } from '../../store/sites/catalogue.ts';
import type { ClusterEdge } from '../cluster-edge.ts';
import { answered, type Call, type Operation, type OwnCommand, operation } from '../operation.ts';
import { pageOf, paging } from '../wire/queries.ts';
import { jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import {
  type IssuerTrial,
  issuerTrialShape,
  type Outgoing,
  outgoingShape,
  releaseShape,
  type System,
  serviceTrialShape,
  settingShape,
  systemShape,
} from '../wire/system.ts';
import { pageReply } from './lists.ts';
import { idOf } from './parameters.ts';
import { tryFiles, tryScanner } from './services.ts';

const owning = { tag: 'Desk', access: 'session', ability: 'own' } as const;

async function testIssuer({ edge }: Call): Promise<IssuerTrial> {
  const { oidc } = edge.signIn;
  if (oidc === null) return { is_configured: false, is_working: false, message: null };
  try {
    await oidc.client.test();
    return { is_configured: true, is_working: true, message: null };
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    return { is_configured: true, is_working: false, message: error.message };
  }
}

function presentSystem({ edge, ctx }: Call): System {
  const { schema, measures, failed, mailboxes, growth, fileBytes, versions } = edge.desk.read((tx) =>
    readSystem(tx, ctx),
  );
  const { queued, oldestDueMs } = measures;
  const queue = (kind: 'mail' | 'webhook') => ({
    queued: queued[kind],
    oldest_due_seconds: Math.round(oldestDueMs[kind] / 1000),
  });
  return {
    version,
    schema,
    trouble: edge.desk.trouble()?.message ?? null,
    ...edge.machine(),
    database: {
      bytes: measures.databaseBytes,
      free_bytes: measures.freePages * measures.pageBytes,
      log_bytes: measures.walBytes,
    },
    file_bytes: fileBytes,
    growth: growth && {
      days: growth.days,
      database_bytes_a_day: growth.databaseBytesADay,
      file_bytes_a_day: growth.fileBytesADay,
      full_at: toWire(growth.fullAt),
    },
    version_since: toWire(versions[0]?.beganAt ?? null),
    previous_version: versions[1]?.version ?? null,
    outbox: { mail: queue('mail'), webhook: queue('webhook'), failed },
    unfiled_mail: measures.unfiledMail,
    mailboxes: mailboxes.map(({ mailbox: { id, siteId, name }, state, lookedAt }) => ({
      ...{ id, site_id: siteId, name, state },
      looked_at: toWire(lookedAt),
    })),
    cluster: edge.cluster && presentCluster(edge.cluster),
    jobs: edge.jobs(),
    can_download_backup: edge.commands.backupFile() !== null,
    last_doctor: edge.commands.last('doctor') as System['last_doctor'],
    last_restore_test: edge.commands.last('restore') as System['last_restore_test'],
    last_backup: edge.commands.last('backup') as System['last_backup'],
  };
}

function presentCluster({ node, replicas }: ClusterEdge): System['cluster'] {
  const host = machineName;
  const primary = node.primaryHost();
  return {
    role: node.role(),
    host,
    primary,
    lag_ms: node.replicationLagMs(),
    replicas: replicas.all().map((one) => ({
      ...{ host: one.host, version: one.version, lag_ms: one.lagMs },
      heard_at: toWire(one.heardAt),
    })),
    former_primaries: node.formerPrimaries().filter((one) => one !== host && one !== primary),
  };
}

function presentOutgoing(tx: Tx, { delivery }: LoggedDelivery): Outgoing {
  const { id, event, status, siteId, ticketId, channelId, recipient, attempts, lastError } = delivery;
  return {
    ...{ id, event, status, recipient, attempts },
    site_id: siteId,
    ticket_id: ticketId,
    channel_id: channelId,
    channel_name: channelId === null ? null : (anyChannel(tx, channelId)?.name ?? null),
    last_error: lastError,
    next_attempt_at: toWire(delivery.nextAt),
    finished_at: toWire(delivery.finishedAt),
    created_at: toWire(delivery.createdAt),
  };
}

function requireIdle({ edge }: Call, name: OwnCommand): void {
  if (edge.commands.isRunning(name)) throw conflict('It is running already.', 'already_running');
}

function backupFile({ edge }: Call): { path: string; name: string; bytes: number } {
  const path = edge.commands.backupFile();
  const bytes = path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
  if (path === null || bytes === undefined) throw notFound('backup');
  return { path, name: basename(path), bytes };
}

const answeredStarted = answered(202, 'It runs', shapes.one(z.object({ state: z.string() })));

export const systemOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/system',
    id: 'readSystem',
    ...owning,
    // Only the primary knows what it runs.
    isWritingGet: true,
    summary: 'Read how the system is',
    description: 'With what the last check and the last backup said that were started here since the desk began.',
    answer: answered(200, 'The system', shapes.one(systemShape)),
    errors: [403],
    handle: (call) => jsonReply(200, { data: presentSystem(call) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/doctor',
    id: 'startDoctor',
    ...owning,
    needsConfirmation: true,
    summary: 'Check the data directory, and repair it with fix',
    description: 'Starts `helpdesk doctor` beside the desk. What it finds is in the system’s last_doctor.',
    body: z.object({
      fix: z
        .boolean()
        .optional()
        .meta({ examples: [true] }),
      only: z
        .array(z.enum(fixable))
        .min(1)
        .max(fixable.length)
        .optional()
        .meta({ description: 'With fix: repair only these findings.', examples: [['totals_differ']] }),
    }),
    answer: answeredStarted,
    errors: [403, 409],
    handle(call) {
      requireIdle(call, 'doctor');
      const { fix = false, only = fixable } = call.body;
      const { state } = call.edge.commands.doctor(fix ? only : null);
      return jsonReply(202, { data: { state } });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/backup',
    id: 'startBackup',
    ...owning,
    needsConfirmation: true,
    summary: 'Back up the desk',
    description:
      'Starts `helpdesk backup` beside the desk, into a file that can be downloaded until the next one is made or the desk stops.',
    answer: answeredStarted,
    errors: [403, 409],
    async handle(call) {
      requireIdle(call, 'backup');
      await call.edge.desk.write((tx) => {
        noteBackup(tx, call.ctx, { kind: 'download' });
        return null;
      });
      requireIdle(call, 'backup');
      const { state } = call.edge.commands.backup();
      return jsonReply(202, { data: { state } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/system/backup',
    id: 'readBackup',
    ...owning,
    isWritingGet: true,
    needsConfirmation: true,
    summary: 'Read which backup can be downloaded',
    answer: answered(200, 'The backup', shapes.one(z.object({ name: z.string(), bytes: z.int() }))),
    errors: [403, 404],
    handle(call) {
      const { name, bytes } = backupFile(call);
      return jsonReply(200, { data: { name, bytes } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/system/backup/file',
    id: 'downloadBackup',
    ...owning,
    isWritingGet: true,
    needsConfirmation: true,
    summary: 'Download the backup',
    answer: answered(200, 'A .tar.zst file', null, { contentType: 'application/zstd' }),
    errors: [403, 404],
    handle(call) {
      const { path, name, bytes } = backupFile(call);
      const body = call.request.method === 'HEAD' ? null : Readable.toWeb(createReadStream(path));
      return new Response(body as ReadableStream | null, {
        headers: {
          'Content-Type': 'application/zstd',
          'Content-Length': String(bytes),
          'Content-Disposition': `attachment; filename="${name}"`,
          'Cache-Control': 'no-store',
        },
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/restore-test',
    id: 'testRestore',
    ...owning,
    summary: 'Prove that the newest backup can be restored',
    description:
      'Starts `helpdesk restore --test` beside the desk, which unpacks the backup, checks it and removes it.',
    answer: answeredStarted,
    errors: [403, 404, 409],
    handle(call) {
      requireIdle(call, 'restore');
      const run = call.edge.commands.testRestore();
      if (run === null) throw notFound('backup');
      return jsonReply(202, { data: { state: run.state } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/system/releases',
    id: 'listReleases',
    ...owning,
    summary: 'List what changed since the version that ran before',
    description: 'From the change log of this executable, in English. Without a version before, of this one.',
    answer: answered(200, 'The newest first', z.object({ data: z.array(releaseShape) })),
    errors: [403],
    handle({ edge, ctx }) {
      const { versions } = edge.desk.read((tx) => readSystem(tx, ctx));
      return jsonReply(200, { data: releasesSince(versions[1]?.version ?? null) });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/services/test',
    id: 'testServices',
    ...owning,
    summary: 'Try the virus scanner and the store of files',
    description:
      'The scanner gets the usual test virus. A small file is stored, read and removed; is_set: a bucket is set.',
    answer: answered(
      200,
      'What happened',
      shapes.one(z.object({ scanner: serviceTrialShape, files: serviceTrialShape })),
    ),
    errors: [403],
    async handle({ edge }) {
      const [scanner, files] = await Promise.all([tryScanner(edge.scanner), tryFiles(edge)]);
      return jsonReply(200, { data: { scanner, files } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/system/outbox',
    id: 'listOutbox',
    ...owning,
    summary: 'List what leaves the desk',
    description: 'Mail and webhooks of all sites, the newest first.',
    query: z.object({ ...paging, status: z.enum(deliveryStatuses).optional() }),
    answer: answered(200, 'One page', shapes.page(outgoingShape)),
    errors: [403],
    handle(call) {
      const page = pageOf(call.query);
      const filter = { site: null, isMail: false, status: call.query.status ?? null };
      const { rows, total } = call.edge.desk.read((tx) => {
        const found = listOutbox(tx, call.ctx, filter, page.perPage, (page.page - 1) * page.perPage);
        return { ...found, rows: found.rows.map((one) => presentOutgoing(tx, one)) };
      });
      return pageReply(call, rows, page, total);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/outbox/retry',
    id: 'retryOutbox',
    ...owning,
    summary: 'Send again what failed, or now what waits for its next try',
    body: retryInput,
    answer: answered(200, 'How many leave', shapes.one(z.object({ requeued: z.int() }))),
    errors: [403],
    async handle(call) {
      const { status, since = 0 } = call.body;
      let requeued = 0;
      for (let afterId: number | null = 0; afterId !== null; ) {
        const after: number = afterId;
        const part = await call.commitPart(`after ${after}`, (tx) =>
          jsonReply(200, retrySome(tx, call.ctx, { status, since }, after)),
        );
        if (part.status !== 200) return part;
        const some: ReturnType<typeof retrySome> = JSON.parse(part.body);
        requeued += some.total;
        afterId = some.afterId;
      }
      return jsonReply(200, { data: { requeued } });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/system/outbox/{id}/retry',
    id: 'retryOutgoing',
    ...owning,
    summary: 'Send one delivery again, or now',
    answer: answered(
      200,
      'Whether it leaves. What leaves already, waits behind another or was sent again otherwise does not.',
      shapes.one(z.object({ is_requeued: z.boolean() })),
    ),
    errors: [403, 404],
    write: (tx, call) => jsonReply(200, { data: { is_requeued: retryDelivery(tx, call.ctx, idOf(call, 'delivery')) } }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/system/settings',
    id: 'listSettings',
    ...owning,
    summary: 'List the settings of the environment',
    description: 'As the desk was started with them on the machine that answers. They can only be changed there.',
    answer: answered(200, 'The settings', z.object({ data: z.array(settingShape) })),
    errors: [403],
    handle: ({ edge }) => jsonReply(200, { data: edge.settings() }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/desk/issuer/test',
    id: 'testIssuer',
    ...owning,
    isDryRun: true,
    summary: 'Test the OpenID Connect issuer',
    description: 'Asks it for its discovery document now. Whether it knows the desk shows only when someone signs in.',
    answer: answered(200, 'What happened', shapes.one(issuerTrialShape)),
    errors: [403],
    handle: async (call) => jsonReply(200, { data: await testIssuer(call) }),
  }),
];
