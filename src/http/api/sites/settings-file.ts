// The settings of a site as a file: written, and carried out after its plan was seen (docs/operations/settings-file.md).

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { exportSettings, importWanted, type PlannedChange, planIn } from '../../../desk/transfer/settings-file.ts';
import { conflict } from '../../../domain/errors.ts';
import { readSettingsFile } from '../../../domain/input/settings-file.ts';
import { toYaml } from '../../../domain/input/settings-yaml.ts';
import { mostSettingsFileCharacters } from '../../../domain/sites/limits.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import { plannedChangeShape } from '../../wire/sites/site.ts';
import { siteName } from '../parameters.ts';

const managing = { tag: 'Sites', access: 'team', ability: 'manage' } as const;

const nameOf = (plan: readonly PlannedChange[]) =>
  createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 32);

export const settingsFileOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/settings-file',
    id: 'readSettingsFile',
    ...managing,
    summary: 'Read the settings of a site as YAML, without secrets',
    answer: answered(200, 'A YAML file', null, { contentType: 'application/yaml' }),
    errors: [404],
    handle(call) {
      const settings = call.edge.desk.read((tx) => exportSettings(tx, call.ctx, siteName(call)));
      return new Response(call.request.method === 'HEAD' ? null : toYaml(settings), {
        headers: {
          'Content-Type': 'application/yaml; charset=utf-8',
          'Content-Disposition': 'attachment; filename="settings.yaml"',
          'Cache-Control': 'no-store',
        },
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/settings-file',
    id: 'importSettingsFile',
    ...managing,
    summary: 'Show what a file of settings would change, or change it',
    description:
      'Without `plan`, nothing changes. With the `plan` of an earlier answer the file is carried out, if that is still what it changes. What the file does not name stays as it is.',
    body: z.object({
      yaml: z
        .string()
        .max(mostSettingsFileCharacters)
        .meta({ examples: ['version: 1\nname: Web shop\n'] }),
      plan: z
        .string()
        .max(100)
        .optional()
        .meta({ examples: ['5f2b6c1d0e9a48b7a1c3d5e7f9012345'] }),
    }),
    answer: answered(
      200,
      'What changes, or has changed',
      z.object({
        data: z.array(plannedChangeShape),
        meta: z.object({ plan: z.string(), is_applied: z.boolean() }),
      }),
    ),
    errors: [404, 409],
    async handle(call) {
      const { yaml, plan: wanted } = call.body;
      const file = readSettingsFile(await call.edge.readYaml(yaml));
      const plan = await call.edge.desk
        .write((tx) => importWanted(tx, call.ctx, siteName(call), file, (found) => wanted === nameOf(found)))
        .catch(planIn);
      const name = nameOf(plan);
      if (wanted !== undefined && wanted !== name)
        throw conflict('The settings have changed since the plan was shown.', 'plan_changed');
      return jsonReply(200, { data: plan, meta: { plan: name, is_applied: wanted !== undefined } });
    },
  }),
];
