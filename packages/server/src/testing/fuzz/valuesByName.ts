import fc from 'fast-check'
import type { Pool } from './createPool.ts'
import { signature, signInMessage } from './signInMessages.ts'
import type { Vocabulary } from './Vocabulary.ts'

type Values = Record<string, fc.Arbitrary<unknown>>

/** Values by the name of a field, where its schema says less than its handler expects. */
export function valuesByName(vocabulary: Vocabulary): Values {
  const { pool } = vocabulary
  return { ...plainValues(vocabulary), ...chainValues(pool), ...schemaValues(pool) }
}

function plainValues({ pool, trees }: Vocabulary): Values {
  const names = fc.oneof(
    fc.constantFrom(
      's',
      'n',
      '-n',
      'o.a',
      'secret',
      'p',
      'owner',
      '*',
      's,-n',
      'createdAt',
      'objectId',
      '_rperm',
      '$score',
      'p.secret',
      'owner.email',
      'ACL',
      '',
    ),
    fc.constantFrom('username', 'email', 'password', 'authData', 'sessionToken', 'user', 'users', 'params'),
  )
  return {
    where: trees.where,
    query: trees.where,
    pipeline: trees.pipeline,
    order: names,
    keys: names,
    excludeKeys: names,
    include: names,
    distinct: names,
    redirectClassNameForKey: names,
    key: names,
    objectId: pool.one('objectId'),
    className: pool.one('className'),
    userId: pool.one('userId'),
    user: pool.one('userId'),
    username: pool.one('username'),
    email: pool.one('email'),
    password: pool.one('password'),
    currentPassword: pool.one('password'),
    newPassword: pool.one('password'),
    token: fc.oneof(pool.one('mailToken'), pool.one('address')),
    ticket: pool.one('ticket'),
    handle: pool.one('handle'),
    sessionToken: pool.one('token'),
    message: signInMessage(pool),
    signature: signature(pool),
    provider: fc.constantFrom('google', 'farcaster', 'anonymous', 'moralisEth', 'x', '__proto__'),
    code: fc.constantFrom('000000', '123456', 'x'),
    installationId: pool.one('installationId'),
    maxStaleness: fc.constantFrom<unknown>(0, 5, '5', '0x1', -1, '', 1e9, 'x'),
    count: fc.constantFrom<unknown>(1, 0, true, '1', 'estimate', 'ESTIMATE', 2),
    from: instant,
    until: instant,
    since: instant,
    range: fc.constantFrom('hour', 'day', 'month', 'x'),
    search: fc.constantFrom('', 'vic', '%', '_', '(a+)+$', "'--", '\u202e', '😀'),
    name: fc.constantFrom(
      ...['rateLimit', 'signIn', 'signUp', 'smtp', 'backup', 'brand', 'appName', 'allowOrigin', 'emailCode'],
      ...['masterKey', '__proto__', 'View', '=1+1'],
    ),
    value: settingValue,
    filter: fc.constantFrom('', 's=x', '{"s":{"$gt":1}}', '__proto__', 'x'.repeat(30_001)),
    role: fc.constantFrom('admin', 'support', 'viewer', 'Staff', 'x'),
    cursor: fc.oneof(pool.one('cursor'), fc.constantFrom<unknown>(true, 'eyJ9', '')),
    after: fc.oneof(pool.one('cursor'), pool.one('objectId')),
    before: fc.oneof(pool.one('cursor'), fc.constantFrom('2030-01-31T12:00:00.000Z', '0')),
    url: fc.constantFrom('http://127.0.0.1:9/hook', 'https://example.invalid/x', 'ftp://x', '//x', 'http://[::1]/'),
    cron: fc.constantFrom('* * * * *', '0 0 31 2 *', '*/0 * * * *', '99 * * * *', '@reboot'),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Mars/Olympus'),
    jobName: fc.constantFrom('nosuch', '__proto__', ''),
    limit: fc.constantFrom<unknown>(0, 1, 5, 100, '5', -1, 1e9, 'x', 1.5),
    skip: fc.constantFrom<unknown>(0, 1, '1', -1, 1e12),
  }
}

const instant = fc.constantFrom(
  ...['2030-01-31T12:00:00.000Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '-271821-04-20T00:00:00.000Z'],
  ...['2026-02-30T00:00:00Z', '2026-01-01T00:00:00+99:99', 'x', ''],
)

/** Values of settings that the console takes, nearly takes and refuses. */
const settingValue = fc.oneof(
  fc
    .record({
      requestPath: fc.constantFrom('/login', '/LOGIN', '/classes/*', '/(a+)+$', 'x'),
      requestTimeWindow: fc.constantFrom<unknown>(60_000, 1e15, 0, 'x'),
      requestCount: fc.constantFrom<unknown>(1_000_000, 1, 0),
    })
    .map((rule) => [rule]),
  fc.constantFrom<unknown>(
    { methods: ['password', 'wallet'] },
    { methods: [] },
    { mode: 'invited' },
    { url: 'smtp://127.0.0.1:9', from: 'a@b.example' },
    { url: 'smtp://me:secret@127.0.0.1:9?proxy=x', from: 'a@b.example' },
    { every: 24, passphrase: null },
    { every: 24, to: '/etc' },
    { logo: '/server/files/x' },
    { logo: 'file:///etc/passwd' },
    { colors: { light: { accent: '#123456' } } },
    ['https://app.example'],
    ['*'],
    'A name',
    'two\nlines',
    {},
    null,
  ),
)

const addressOf = (pool: Pool) =>
  fc.oneof(
    pool.one('address'),
    fc.constantFrom(`0x${'ab'.repeat(20)}`, `0x${'0'.repeat(40)}`, 'vitalik.eth', '1'.repeat(32)),
  )

function chainValues(pool: Pool): Values {
  const address = addressOf(pool)
  const block = fc.constantFrom<unknown>('latest', 0, 1, '1', -1, '0x1', 1e18, '99999999999999999999')
  return {
    address,
    addresses: fc.oneof(address, fc.array(address, { maxLength: 3 })),
    owner: address,
    spender: address,
    tokenA: address,
    tokenB: address,
    from: address,
    chain: pool.one('chain'),
    chains: pool.one('chain'),
    network: fc.constantFrom('mainnet', 'devnet', 'x'),
    chainId: fc.constantFrom<unknown>(1, 31337, '1', 0, -1, 1e20),
    block,
    fromBlock: block,
    toBlock: block,
    hash: fc.oneof(pool.one('hash'), fc.constant(`0x${'ab'.repeat(32)}`)),
    block_number_or_hash: block,
    abi: fc.constantFrom<unknown>(
      [],
      [{ type: 'function', name: 'f', inputs: [], outputs: [{ type: 'uint256' }], stateMutability: 'view' }],
      [
        {
          type: 'function',
          name: 'f',
          inputs: [{ type: 'tuple[2][]', components: [{ type: 'bytes33' }] }],
          outputs: [],
        },
      ],
      { anonymous: false, inputs: [{ indexed: true, name: 'a', type: 'address' }], name: 'T', type: 'event' },
    ),
  }
}

function schemaValues(pool: Pool): Values {
  const address = addressOf(pool)
  return {
    base64: fc.constantFrom('aGVsbG8=', '***', '', 'AA=='),
    fields: fc.dictionary(
      fc.constantFrom('s', 'n', 'x', 'p2', '__type', 'objectId'),
      fc.oneof(
        fc.record({
          type: fc.constantFrom('String', 'Number', 'Pointer', 'Relation', 'Array', 'GeoPoint', 'Nope'),
          targetClass: pool.one('className'),
        }),
        fc.constant({ __op: 'Delete' }),
      ),
      { maxKeys: 3, noNullPrototype: true },
    ),
    classLevelPermissions: permissions(pool),
    indexes: fc.dictionary(
      fc.constantFrom('i1', '_id_', 'x"'),
      fc.oneof(
        fc.dictionary(fc.constantFrom('s', 'n', 'o.a', 'g'), fc.constantFrom<unknown>(1, -1, 'text', '2dsphere'), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        fc.constant({ __op: 'Delete' }),
      ),
      { maxKeys: 2, noNullPrototype: true },
    ),
    authData: fc.oneof(
      fc.constantFrom<unknown>(
        null,
        {},
        { anonymous: { id: 'a1' } },
        { anonymous: null },
        { google: { id: 'x', id_token: 'x.y.z' } },
        { mfa: { token: '000000' } },
        { moralisEth: { id: `0x${'ab'.repeat(20)}`, signature: '0x', data: 'x' } },
      ),
      fc.record({ moralisEth: fc.record({ id: address, signature: signature(pool), data: signInMessage(pool) }) }),
    ),
  }
}

function permissions(pool: Pool): fc.Arbitrary<unknown> {
  const entity = fc.oneof(
    fc.constantFrom('*', 'requiresAuthentication', 'role:Staff', 'nosuch', 'pointerFields'),
    pool.one('userId').map(String),
  )
  const rights = fc.dictionary(entity, fc.constantFrom<unknown>(true, true, false, ['owner']), {
    maxKeys: 2,
    noNullPrototype: true,
  })
  return fc.record(
    {
      find: rights,
      get: rights,
      create: rights,
      update: rights,
      delete: rights,
      count: rights,
      addField: rights,
      protectedFields: fc.dictionary(entity, fc.constantFrom(['s'], [], ['x']), { maxKeys: 2, noNullPrototype: true }),
      readUserFields: fc.constantFrom(['owner'], ['s'], []),
    },
    { requiredKeys: [] },
  )
}
