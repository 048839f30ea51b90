// What each kind of operation admits: the one table that limits, statuses and documentation are derived from.

export const credentialSchemes = {
  siteToken: { type: 'apiKey', in: 'header', name: 'X-Site-Token' },
  accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
  teamToken: { type: 'http', scheme: 'bearer' },
} as const;
type CredentialName = keyof typeof credentialSchemes;

interface Admission {
  credentials: readonly CredentialName[];
  /** The operation itself looks up a secret in the path or query, so its 404 counts as a wrong credential. */
  isNotFoundAFailure: boolean;
}

const admissions = {
  public: { credentials: [], isNotFoundAFailure: false },
  signed: { credentials: [], isNotFoundAFailure: false },
  inbound: { credentials: [], isNotFoundAFailure: true },
  site: { credentials: ['siteToken'], isNotFoundAFailure: false },
  thread: { credentials: ['siteToken', 'accessToken'], isNotFoundAFailure: true },
  team: { credentials: ['teamToken'], isNotFoundAFailure: false },
} as const satisfies Record<string, Admission>;
export type Access = keyof typeof admissions;

export function admissionOf(access: Access): Admission {
  return admissions[access];
}

export function needs(access: Access, credential: CredentialName): boolean {
  return admissionOf(access).credentials.includes(credential);
}
