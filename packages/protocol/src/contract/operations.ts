import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, listOf, nothing, refusedAs, text, wireValue } from './fields.ts'

const mustBeWhole = 'of a gate must be a whole number, as a text of digits'
/** As a contract counts: beyond what a number of JSON holds, so it may be text. */
const uint256 = z
  .union([z.int().min(0), z.string().regex(/^\d{1,78}$/, mustBeWhole)], mustBeWhole)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n, mustBeWhole)

const gate = z.object({
  role: z.string(refusedAs(undefined)).min(1, 'MissingRequiredField').max(200).describe('The name of the role'),
  chain: z.union([text(100), z.int().min(0)], refusedAs(undefined)).describe('Name or id'),
  kind: z.enum(['native', 'erc20', 'erc721', 'erc1155']),
  token: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and forty hex digits')
    .nullish()
    .describe('The contract; not for the native currency'),
  tokenId: uint256.nullish().describe('Of an ERC-1155; of an ERC-721 where one certain NFT is meant'),
  amount: uint256
    .refine((value) => value > 0n, 'of a gate must be above 0: everybody holds nothing')
    .nullish()
    .describe('At least so much, in the smallest unit; 1 unless given'),
})

const gateRecord = z.strictObject({
  objectId: z.string(),
  role: z.string(),
  chain: z.number(),
  kind: z.string(),
  token: z.string().optional(),
  tokenId: z.string().optional(),
  amount: z.string(),
  createdAt: instant,
  checkedAt: instant.optional(),
  block: z.number().optional(),
  error: z.string().optional(),
  members: z.number(),
})

const settingName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'InvalidKeyName')
const settings = <Value extends z.ZodType>(value: Value) =>
  z
    .record(settingName, value, 'InvalidJson')
    .refine((given) => Object.keys(given).length <= 1_000, 'must have 1,000 names at most')

/** What operators set and see: gates on roles, settings of the application, mails that were not sent. */
export const operations = {
  listGates: {
    method: 'GET',
    path: '/gates',
    summary: 'Which tokens open which roles; of one role with `role`. Master key.',
    access: 'master',
    textQuery: true,
    input: z.object({ role: text(200).optional() }),
    output: listOf(gateRecord),
  },
  createGate: {
    method: 'POST',
    path: '/gates',
    summary: 'Give a role to everyone who holds a token in a linked wallet, for as long as they do. Master key.',
    access: 'master',
    status: 201,
    input: gate,
    output: gateRecord,
    reasons: ['nodeUnavailable'],
  },
  getGate: {
    method: 'GET',
    path: '/gates/:objectId',
    summary: 'One of them: when it was last checked, and how many hold the role by it. Master key.',
    access: 'master',
    params: byId,
    output: gateRecord,
  },
  deleteGate: {
    method: 'DELETE',
    path: '/gates/:objectId',
    summary: 'Delete one of them. Who held the role by it alone holds it no more. Master key.',
    access: 'master',
    params: byId,
    output: nothing,
  },
  checkGate: {
    method: 'POST',
    path: '/gates/:objectId/check',
    summary: 'Look at every wallet for it now. Master key.',
    access: 'master',
    params: byId,
    output: gateRecord,
    reasons: ['nodeUnavailable'],
  },
  getConfig: {
    method: 'GET',
    path: '/config',
    summary: "The application's own settings. Some are for the master key alone.",
    output: z.strictObject({ params: fields, masterKeyOnly: z.record(z.string(), z.boolean()).optional() }),
  },
  updateConfig: {
    method: 'PUT',
    path: '/config',
    summary: "Change the application's own settings. Master key.",
    access: 'master',
    input: z.object({
      params: settings(wireValue).optional(),
      masterKeyOnly: settings(z.boolean('InvalidJson')).optional(),
    }),
    output: z.strictObject({ result: z.literal(true) }),
  },
  getServerInfo: {
    method: 'GET',
    path: '/serverInfo',
    summary: 'What this server can do. Master key.',
    access: 'master',
    output: z.strictObject({ features: fields, parseServerVersion: z.string() }),
  },
  listOutbox: {
    method: 'GET',
    path: '/outbox',
    summary:
      'Mails that were kept because no SMTP server is configured. Master key, or the web application in development.',
    session: 'dropped',
    output: listOf(
      z.strictObject({
        id: z.string(),
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        link: z.string().nullable(),
        createdAt: instant,
      }),
    ),
  },
} as const satisfies Record<string, EndpointContract>
