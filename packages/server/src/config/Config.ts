import { isIP } from 'node:net'
import { z } from 'zod'
import { anonymousSchema, authSchema } from './authSettings.ts'
import { brandSchema } from './brandSettings.ts'
import { chainApiSchema, chainSchema, indexerSchema } from './chainSettings.ts'
import { distributeSchema } from './distributeSettings.ts'
import { emailCodeSchema, secondFactorSchema } from './factorSettings.ts'
import { filesSchema, fileUploadSchema, ipfsSchema, s3Schema } from './fileSettings.ts'
import { nftSchema } from './nftSettings.ts'
import { oidcSchema } from './oidcSettings.ts'
import { partitionSchema } from './partitionSettings.ts'
import { pushSchema } from './pushSettings.ts'
import { signInSchema, signUpSchema } from './signUpSettings.ts'
import { solanaSchema } from './solanaSettings.ts'
import { tokenGatesSchema } from './tokenGateSettings.ts'

const port = z.coerce.number().int().min(0).max(65535)
const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])]).transform((value) => {
  return typeof value === 'boolean' ? value : value === 'true' || value === 'on' || value === '1'
})
const key = z.string().min(1).max(200)
const mount = z
  .string()
  .regex(/^\/[A-Za-z0-9_\-/]*[A-Za-z0-9_-]$/, 'must start with "/" and name at least one folder, such as /server')
const webUrl = z.url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
/** Scheme and host alone: a user name before the host would disguise it in a mail, and paths are appended. */
const webOrigin = webUrl
  .max(300)
  .refine(
    (text) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(text),
    'must be a scheme and a host, such as https://id.acme.example',
  )
  .transform((text) => new URL(text).origin)

/** Paths are appended. A username would disguise the host, and a query would swallow the path. */
const publicAddress = webUrl
  .max(300)
  .refine(
    (text) => /^https?:\/\/[^/?#@\\\s]+(\/[^?#@\\\s]*)?$/i.test(text),
    'must be a scheme and a host, such as https://id.acme.example, without username, query or fragment',
  )

export const addressRange = z.string().refine((entry) => {
  const [address = '', bits, ...rest] = entry.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}, 'must be an IP address or a network such as 10.0.0.0/8')

const rateLimitRule = z.strictObject({
  /** Path under the mount; a trailing `*` stands for anything. */
  requestPath: z.string().max(200).startsWith('/'),
  requestTimeWindow: z.number().int().positive(),
  requestCount: z.number().int().positive(),
  requestMethods: z.array(z.string().max(20)).max(10).optional(),
  errorResponseMessage: z.string().max(500).default('Too many requests.'),
  /** Requests from this very machine are not counted unless this is set. */
  includeInternalRequests: z.boolean().default(false),
})

/** Addresses are hidden by default. */
const protectedFields = z
  .record(z.string(), z.record(z.string(), z.array(z.string())))
  .transform((given) => ({ ...given, _User: { '*': ['email', 'emailVerified'], ...given._User } }))
  .transform((all): { [className: string]: { [entity: string]: string[] } } => all)

const pattern = z.string().refine((text) => {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}, 'must be a regular expression')

/** Well-known chains on which a key pair may say it signs in; those with nodes of your own come on top. */
const knownChains = [
  1, 10, 25, 56, 100, 137, 250, 324, 1101, 5000, 8453, 42161, 42220, 43114, 59144, 81457, 534352, 7777777, 11155111,
  84532, 11155420, 421614, 80002, 1337, 31337,
]

const minute = 60_000

const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])

/** Parts of the server with a separate log level. */
const logAreas = ['requests', 'database', 'audit', 'live', 'functions', 'jobs', 'webhooks', 'chain', 'backup'] as const

export type LogArea = (typeof logAreas)[number]

/** The options of the server. Those that parse-server has too keep its names. */
export const configSchema = z.strictObject({
  port: port.default(1337),
  host: z.string().min(1).optional(),
  production: z.boolean().default(false),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must look like postgresql://user:password@host:5432/database')
    .optional(),
  /** PostgreSQL past a pooler in transaction mode. */
  directDatabaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must look like postgresql://user:password@host:5432/database')
    .optional(),
  /** Read replicas, as hosts of one URL, for queries with `maxStaleness`. */
  replicaUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must look like postgresql://user:password@host,host:5432/database')
    .optional(),
  /** Largest `maxStaleness` in seconds; larger ones count as this. */
  maxStaleness: z.coerce.number().min(1).max(3_600).default(30),
  /**
   * Processes that serve requests: a number, or `auto` for one per core, at most four. More than one needs PostgreSQL.
   * `auto` in production on PostgreSQL, otherwise 1.
   */
  workers: z
    .union([z.literal('auto'), z.coerce.number().int().min(1).max(128)], 'must be a number from 1 to 128, or auto')
    .optional(),
  dataFolder: z.string().min(1).default('./data'),
  cloud: z.string().min(1).default('./cloud'),
  appId: key.optional(),
  masterKey: key.optional(),
  /** The one before: holds beside `masterKey` while programs are given the new one. */
  formerMasterKey: key.optional(),
  /** When the operator sets one of these, a client must send one of them. */
  javascriptKey: key.optional(),
  restAPIKey: key.optional(),
  clientKey: key.optional(),
  /** Reads everything, writes nothing. */
  readOnlyMasterKey: key.optional(),
  masterKeyIps: z.array(addressRange).default(['127.0.0.1', '::1']),
  mount: mount.default('/server'),
  /** Paths under which the API is found besides `mount`, such as `/parse`, for apps that know no other. */
  mountPath: z.union([mount.transform((path) => [path]), z.array(mount).max(10)]).default([]),
  publicUrl: publicAddress.optional(),
  /** Address of the web application, where it differs from `publicUrl`: links in mails and in the terminal lead there. */
  webUrl: webOrigin.optional(),
  appName: z.string().min(1).max(80).default('Countersign'),
  /** Logo, colors and texts of the web application. */
  brand: brandSchema.prefault({}),
  /** Serves the documentation of this version at `/docs`. */
  docs: z.boolean().default(true),
  /** Proxies trusted to name the caller's address: `true`, a number of hops, or addresses. */
  trustProxy: z.union([z.boolean(), z.number().int().min(0), z.string(), z.array(z.string())]).default(false),
  /** Origins that may use the cookie session from another origin of the same site. Others send a token. */
  allowOrigin: z.union([webUrl.transform((origin) => [origin]), z.array(webUrl)]).default([]),
  logLevel: logLevel.default('info'),
  /** Levels of single areas, where they differ from `logLevel`. */
  logLevels: z.partialRecord(z.enum(logAreas), logLevel).default({}),
  /** Time (s) for which a stopping server still responds, so that proxies notice. 5 in production, otherwise 0. */
  drainTime: z.number().min(0).max(600).optional(),
  /** Metrics for Prometheus: on a separate port, with a token, or both. Off without either. */
  metrics: z
    .strictObject({
      port: port.optional(),
      /** The address that the port listens on. */
      host: z.string().min(1).default('127.0.0.1'),
      /** Sent as `Authorization: Bearer …`. Without a port `/metrics` is on the port of everything else. */
      token: z.string().min(16, 'must have at least 16 characters').max(200).optional(),
    })
    .refine(({ port, token }) => port !== undefined || token !== undefined, 'needs a port or a token')
    .optional(),
  /** Traces by OpenTelemetry, sent to a collector. Without it nothing of it is loaded. */
  traces: z
    .strictObject({
      /** OTLP endpoint for spans over HTTP: `http://localhost:4318/v1/traces`. */
      url: webUrl,
      headers: z.record(z.string().max(100), z.string().max(4_000)).default({}),
      serviceName: z.string().min(1).max(100).default('countersign'),
      /** Share of traces started here that is kept: 1 for all of them. */
      sampleRatio: z.number().min(0).max(1).default(1),
      /** Milliseconds for which spans are gathered before they are sent. */
      delay: z.number().int().min(1).max(60_000).default(5_000),
    })
    .optional(),
  /** Fields that are not for everyone, by class and by whom they are hidden from. */
  protectedFields: protectedFields.prefault({}),
  /** Objects that a client may ask for at once; a larger `limit` is cut to it. The master key may ask for more. */
  maxLimit: z.number().int().positive().default(1000),
  defaultLimit: z.number().int().positive().default(100),
  /** How much one query may ask of the server. The master key is bound by these too. */
  requestComplexity: z
    .strictObject({
      includeDepth: z.number().int().min(1).default(10),
      includeCount: z.number().int().min(1).default(100),
      /** Levels of `$or`, `$and` and `$nor` within each other. */
      queryDepth: z.number().int().min(1).max(100).default(10),
      /** Levels of `$inQuery`, `$notInQuery`, `$select` and `$dontSelect` within each other. */
      subqueryDepth: z.number().int().min(0).max(50).default(10),
      conditionCount: z.number().int().min(1).max(5_000).default(500),
      allowRegex: z.boolean().default(true),
      regexLength: z.number().int().min(1).max(10_000).default(1000),
      /** Patterns in one query, subqueries included. */
      regexCount: z.number().int().min(1).max(500).default(10),
      /** Milliseconds that a query with a pattern may take. */
      regexTimeout: z.number().int().min(10).max(600_000).default(5_000),
      /**
       * Milliseconds that a query, or a batch that is a transaction, may take; the master key may take longer. Has no
       * effect on the embedded database, which does one thing at a time and is for development and small sites.
       */
      queryTimeout: z.number().int().min(10).max(600_000).default(5_000),
    })
    .prefault({}),
  /** Requests that one batch may hold. */
  batchRequestLimit: z.number().int().min(1).max(1000).default(50),
  /**
   * A write with a request id runs once: a repeat gets the first response. With `paths` (patterns from the start of the
   * path) a repeat there is refused with 159 instead, as parse-server does.
   */
  idempotencyOptions: z
    .strictObject({ paths: z.array(pattern).default([]), ttl: z.number().int().min(1).max(86_400).default(300) })
    .prefault({}),
  /** Bytes of a request in JSON. For each twenty of them it may hold a value, for each hundred a named one. */
  jsonLimit: z
    .number()
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(1024 * 1024),
  /** Bytes of request bodies in memory, over all requests; more get 503. */
  bodyBudget: z
    .number()
    .int()
    .min(1024 * 1024)
    .default(64 * 1024 * 1024),
  maxUploadSize: z
    .number()
    .int()
    .positive()
    .default(20 * 1024 * 1024),
  /** Permissions for uploads. */
  fileUpload: fileUploadSchema.prefault({}),
  /** File storage. */
  files: filesSchema.prefault({}),
  /** The node that pins files to IPFS. */
  ipfs: ipfsSchema.optional(),
  /** Automatic backups. */
  backup: z
    .strictObject({
      /** Hours from one to the next. */
      every: z.number().positive().max(8_784).optional(),
      /** Folder for backups. Default: `backups` in the data folder. */
      folder: z.string().min(1).optional(),
      /** Or a bucket. */
      s3: s3Schema.optional(),
      /** How many are kept. */
      keep: z.number().int().min(1).max(1_000).default(7),
      /** Encrypts them. Without it they are as good as the keys that they hold. */
      passphrase: z.string().min(8).optional(),
    })
    .optional(),
  /** Seconds that a session lives. */
  sessionLength: z.coerce
    .number()
    .int()
    .positive()
    .default(365 * 24 * 3600),
  sessionCache: flag.default(true),
  revokeSessionOnPasswordReset: z.boolean().default(true),
  /** Guests: users whom the older clients sign in by an id that they drew themselves. */
  enableAnonymousUsers: flag.default(true),
  anonymous: anonymousSchema.prefault({}),
  /** Providers of your own: each an adapter, or `{ module, …options }`. */
  auth: authSchema.default({}),
  /** Offered sign-in methods and their order. */
  signIn: signInSchema.prefault({}),
  /** Permission to sign up. */
  signUp: signUpSchema.prefault({}),
  /** Sign-in with a code or a link that is mailed. */
  emailCode: emailCodeSchema.prefault({}),
  /** Endpoint for agents (MCP). */
  mcp: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Only users with one of these roles; everyone if absent. */
      roles: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
    })
    .prefault({}),
  /** The OpenID provider. */
  oidc: oidcSchema.prefault({}),
  /** Authenticator apps and passkeys after the first proof of a sign-in. */
  secondFactor: secondFactorSchema.prefault({}),
  /** Push services. */
  push: pushSchema.optional(),
  verifyUserEmails: z.boolean().default(true),
  preventLoginWithUnverifiedEmail: z.boolean().default(false),
  emailVerifyTokenValidityDuration: z
    .number()
    .int()
    .positive()
    .default(24 * 3600),
  /** Seconds in which a verified address that was replaced or removed can be brought back by its mail. */
  emailUndoDuration: z
    .number()
    .int()
    .positive()
    .max(90 * 24 * 3600)
    .default(7 * 24 * 3600),
  accountLockout: z
    .strictObject({
      /** Failures in a row until the account is locked. */
      threshold: z.number().int().min(1).max(1000).default(10),
      /** Minutes that the lock lasts. */
      duration: z.number().positive().max(99_999).default(5),
      unlockOnPasswordReset: z.boolean().default(true),
    })
    .or(z.literal(false))
    .default({ threshold: 10, duration: 5, unlockOnPasswordReset: true }),
  passwordPolicy: z
    .strictObject({
      minLength: z.number().int().min(1).max(128).default(1),
      doNotAllowUsername: z.boolean().default(false),
      validationError: z.string().optional(),
      resetTokenValidityDuration: z.number().int().positive().default(3600),
    })
    .default({ minLength: 1, doNotAllowUsername: false, resetTokenValidityDuration: 3600 }),
  /** SMTP server for mails. Without one the server keeps them in its outbox. */
  smtp: z
    .strictObject({
      url: z.string().regex(/^smtps?:\/\//, 'must look like smtp://user:password@host:587'),
      from: z.string().min(3),
    })
    .optional(),
  /** Days that the log of mails which were sent by SMTP is kept, 10,000 entries at most; 0 for no log. */
  mailLogDays: z.number().int().min(0).max(365).default(30),
  /** Days of sign-ins that operators see, failed ones included; 0 records no failed ones. */
  signInLogDays: z.number().int().min(0).max(365).default(30),
  /** EVM chains with nodes, for contract accounts and for what is read from chains. */
  chains: z
    .array(chainSchema)
    .refine((chains) => new Set(chains.map(({ id }) => id)).size === chains.length, 'must name each chain once')
    .default([]),
  /** Reads well-known chains without nodes of the operator from public nodes. Default: in development only. */
  usePublicNodes: flag.optional(),
  /** Permissions and limits for reading chains through this server. */
  chainApi: chainApiSchema.prefault({}),
  /** Follows chains, as `index` of each says. */
  indexer: indexerSchema.prefault({}),
  /** Fetching of NFT metadata. */
  nft: nftSchema.prefault({}),
  /** Roles that go with a token. */
  tokenGates: tokenGatesSchema.prefault({}),
  /** Networks of Solana that are read. */
  solana: solanaSchema.prefault({}),
  wallet: z
    .strictObject({
      /** Pages besides our own on which people may sign in with a wallet: full origins. */
      origins: z
        .union([z.string().transform((list) => list.split(',').map((origin) => origin.trim())), z.array(z.string())])
        .pipe(z.array(webUrl))
        .default([]),
      /** Statement in the signed message; ASCII, one line. */
      statement: z
        .string()
        .regex(/^[\x20-\x7e]{1,300}$/, 'must be one line of ASCII')
        .optional(),
      /** EVM chains that a message may name. */
      chains: z.array(z.number().int().positive()).default(knownChains),
      /** Seconds that a person has to sign. */
      challengeTtl: z.number().int().min(30).max(3600).default(300),
      /** Time (ms) for a node to respond. */
      nodeTimeout: z.number().int().min(100).max(60_000).default(5_000),
      /** Milliseconds that the check of a contract account may take, over all its nodes. */
      checkTimeout: z.number().int().min(100).max(120_000).default(10_000),
      solana: z.boolean().default(true),
    })
    .prefault({}),
  /** Sign-in of the older clients, by a text that their page chose with a time of ours below it. */
  olderSignIn: z
    .strictObject({
      enabled: flag.default(true),
      /**
       * Lets a legacy sign-in confirm the session when a page asks. No request proves that a page sent it, not a
       * server.
       */
      confirms: flag.default(true),
      /** Texts allowed above the time, exactly as in the application's `signingMessage`. */
      messages: z.array(z.string().min(1).max(1000)).max(50).default(['Moralis Authentication']),
    })
    .prefault({}),
  /** Lets a client's write create the class. Default: in development only. */
  allowClientClassCreation: flag.optional(),
  /** Lets clients create roles if the permissions of `_Role` name nobody. Default: in development only. */
  allowClientRoleCreation: flag.optional(),
  /** Classes whose tables have parts: large ones, and those of which old objects are dropped by the month. */
  partition: partitionSchema.default({}),
  /** Classes that are too large for one machine, on a Citus cluster. */
  distribute: distributeSchema.default({}),
  /** Lets clients choose the id of a new document. */
  allowCustomObjectId: flag.default(false),
  /** Writes of clients that were offline. */
  offline: z
    .strictObject({
      /** Classes in which clients make the id of a new document: a ULID, so that a repeated create is the same create. */
      classes: z.array(z.string().max(200)).max(1_000).default([]),
      /** Seconds that a request id is kept where a client asks for it, and that an id made by a client may be old. */
      requestAge: z
        .number()
        .int()
        .min(300)
        .max(366 * 86_400)
        .default(30 * 86_400),
    })
    .prefault({}),
  /** Queries that take longer, in milliseconds, are logged; 0 for none. */
  slowQueryThreshold: z.coerce.number().min(0).default(500),
  /** Shapes of slow queries that each server keeps in memory, for operators, with the index that would serve them. */
  slowQueries: z
    .strictObject({
      /** Queries that take longer (milliseconds) are recorded; 0 for every one. */
      threshold: z.number().min(0).max(3_600_000).default(100),
      /** How many shapes are kept; 0 for none. */
      shapes: z.number().int().min(0).max(1_000).default(200),
    })
    .prefault({}),
  /** SQL editor of the console, for administrators. */
  sqlEditor: flag.default(true),
  /** Lets clients without the master key read query plans. */
  allowPublicExplain: flag.default(false),
  /** Functions of the application. */
  functions: z
    .strictObject({
      /** Milliseconds that a function or hook may take, unless it says otherwise. */
      timeoutMs: z.number().int().min(10).max(600_000).default(15_000),
      /** Maximum that run at once in the server; ten times as many may be queued. */
      concurrency: z.number().int().min(1).max(10_000).default(100),
      /** Runs functions in processes of their own, unless they opt out. */
      isolate: flag.default(false),
      /** How many processes there are for isolated functions; each runs one at a time. */
      workers: z.number().int().min(1).max(64).default(2),
      /** Megabytes that the objects of such a process may take. */
      memory: z.number().int().min(16).max(16_384).default(128),
      /** Variables of the environment that isolated functions have, besides the usual ones such as PATH and TZ. */
      environment: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of an environment variable'))
        .max(200)
        .default([]),
      /** Hosts that `Cloud.httpRequest` may ask. Unless set: any in development, none in production. */
      httpHosts: z.array(z.string().min(1).max(255).toLowerCase()).max(1_000).optional(),
    })
    .prefault({}),
  /** Jobs of the application. */
  jobs: z
    .strictObject({
      /** Runs jobs on this server. If off, it still accepts jobs for the other servers. */
      enabled: flag.default(true),
      /** How many one server runs at once. */
      concurrency: z.number().int().min(1).max(100).default(4),
      /** Seconds that a run may take, unless the job says otherwise. */
      timeoutSeconds: z.number().positive().max(604_800).default(3_600),
      /** Days that the status of ended runs is kept. */
      retentionDays: z.number().int().min(1).default(30),
    })
    .prefault({}),
  /** Sent along to functions and hooks that run elsewhere, so that they know who calls. */
  webhookKey: key.optional(),
  webhooks: z
    .strictObject({
      /** Allows webhooks to this machine and private networks. Unsafe if strangers have the master key. */
      allowPrivateAddresses: flag.default(false),
      /** Time (ms) for a receiver to respond. */
      timeout: z.number().int().min(100).max(60_000).default(10_000),
      /** How many deliveries one server makes at once. */
      concurrency: z.number().int().min(1).max(100).default(8),
      /** Days that events and deliveries are kept. */
      retentionDays: z.number().int().min(1).default(30),
    })
    .prefault({}),
  /** Live queries: clients that are notified of changes as they happen. */
  liveQuery: z
    .strictObject({
      /** The classes that may be subscribed to; all of them unless set. */
      classNames: z.array(z.string().min(1)).optional(),
      /** Time (s) that changes are kept, so that a disconnected client can continue. */
      retention: z.number().int().min(60).max(86_400).default(900),
      /** Interval (ms) of heartbeats; a client that misses two is dropped. */
      websocketTimeout: z.number().int().min(50).max(10_000).default(10_000),
      /** Time (ms) for a client to send its first frame. */
      connectTimeout: z.number().int().min(50).max(600_000).default(10_000),
      /** Bytes of one message from a client. */
      maxFrameSize: z.number().int().min(1024).max(16_777_216).default(131_072),
      maxSubscriptionsPerSocket: z.number().int().min(1).default(500),
      /** Sockets from this very machine are not counted. */
      maxSocketsPerAddress: z.number().int().min(1).default(500),
      maxSocketsPerUser: z.number().int().min(1).default(100),
      /** Bytes that wait for a client that reads too slowly; then it gets them later, from the log. */
      maxBufferedBytes: z.number().int().min(1024).default(1_048_576),
    })
    .prefault({}),
  /**
   * Delay (ms) of the event loop, as the median of two seconds in a row, from which requests get 503 with Retry-After.
   * 0: never.
   */
  overloadDelay: z.coerce.number().int().min(0).max(60_000).default(250),
  /** File with a token of at least 32 characters. Allows `countersign attack` to callers with the same token. */
  attackTokenFile: z.string().min(1).max(1_000).optional(),
  /** Every response is held to its contract; one that breaks it is a 500. For tests and development. */
  checkResponses: z.boolean().default(false),
  /** Seconds after a proof within which a session may change its sign-in methods. */
  confirmationLength: z.number().int().min(60).default(900),
  /** Seconds in which an account that its owner deleted can be restored; 0 deletes at once. */
  accountDeletionGrace: z
    .number()
    .int()
    .min(0)
    .max(366 * 24 * 3600)
    .default(7 * 24 * 3600),
  rateLimit: z.array(rateLimitRule).default(
    [
      { requestPath: '/login', requestTimeWindow: minute, requestCount: 60 },
      { requestPath: '/verifyPassword', requestTimeWindow: minute, requestCount: 60 },
      { requestPath: '/users', requestMethods: ['POST'], requestTimeWindow: minute, requestCount: 60 },
      { requestPath: '/challenge', requestTimeWindow: minute, requestCount: 60 },
      { requestPath: '/requestPasswordReset', requestTimeWindow: minute, requestCount: 20 },
      { requestPath: '/verificationEmailRequest', requestTimeWindow: minute, requestCount: 20 },
      { requestPath: '/resetPassword', requestTimeWindow: minute, requestCount: 30 },
      { requestPath: '/auth/emailCode', requestTimeWindow: minute, requestCount: 20 },
      { requestPath: '/auth/*', requestTimeWindow: minute, requestCount: 120 },
      { requestPath: '/functions/getServerTime', requestTimeWindow: minute, requestCount: 60 },
      { requestPath: '/functions/requestMessage', requestTimeWindow: minute, requestCount: 60 },
    ].map((rule) => rateLimitRule.parse(rule)),
  ),
})

/** Settings of `countersign.config.ts`. */
export type ConfigInput = z.input<typeof configSchema>

/** The options as the server uses them: checked, with every default filled in. */
export type Config = z.output<typeof configSchema> & {
  host: string
  allowClientClassCreation: boolean
  allowClientRoleCreation: boolean
  usePublicNodes: boolean
  /** Source of each given setting; the others are defaults. */
  sources: { [setting: string]: 'file' | 'environment' | 'commandLine' | 'database' }
}

export type RateLimitRule = z.output<typeof rateLimitRule>
