import { CountersignError } from '@countersign/protocol'
import { describe, expect, test } from 'vitest'
import { PasskeyError } from '../errors/PasskeyError.ts'
import { ProviderError } from '../errors/walletErrors.ts'
import { findInAppBrowser } from '../platform/findInAppBrowser.ts'
import type { Connector } from '../state/Connector.ts'
import { toWalletError } from '../wallet/connection/askProvider.ts'
import { readRefusal } from './showFailure.ts'
import { listSignInOptions } from './signInRows.ts'

function connector(id: string, changes: Partial<Connector> = {}): Connector {
  return {
    id,
    kind: 'injected',
    namespace: 'eip155',
    name: id,
    connect: () => Promise.reject(new Error('not here')),
    reconnect: async () => undefined,
    ...changes,
  }
}

describe('rows', () => {
  const connectors = [
    connector('demo', { kind: 'demo' }),
    connector('network', { kind: 'network' }),
    connector('walletconnect', { kind: 'walletconnect' }),
    connector('first'),
    connector('second', { kind: 'solana', namespace: 'solana' }),
  ]
  const ids = (last?: string) =>
    listSignInOptions({ connectors, last, passkey: true, password: true }).map((row) => row.id + (row.last ? '*' : ''))

  test('wallets, phone, passkey, password, demo; what can only read is no sign-in method', () => {
    expect(ids()).toEqual(['first', 'second', 'walletconnect', 'passkey', 'password', 'demo'])
  })

  test('the last used comes first, whichever it is', () => {
    expect(ids('second')[0]).toBe('second*')
    expect(ids('passkey').slice(0, 2)).toEqual(['passkey*', 'first'])
    expect(ids('demo')[0]).toBe('demo*')
    expect(ids('uninstalled')).toEqual(ids())
  })

  test('the server’s order holds, what it has switched off is left out, and the last used still comes first', () => {
    const providers = ['google', 'github'].map((name) => ({ name, label: name, kind: 'oidc' }))
    const given = { connectors, passkey: true, password: true, emailCode: true, providers }
    const list = (changes: object) => listSignInOptions({ ...given, ...changes }).map(({ id }) => id)
    expect(list({ methods: ['emailCode', 'provider', 'wallet'] })).toEqual([
      'emailCode',
      'provider:google',
      'provider:github',
      'first',
      'second',
      'walletconnect',
      'demo',
    ])
    expect(list({ methods: ['emailCode', 'provider'], last: 'provider:github' })).toEqual([
      'provider:github',
      'emailCode',
      'provider:google',
    ])
    expect(list({ methods: ['password'], last: 'first' })).toEqual(['password'])
  })

  test('S24: wallets of one name are distinguished by the domain that they claim', () => {
    const twins = [
      connector('io.metamask', { name: 'MetaMask', rdns: 'io.metamask' }),
      connector('6963:copy', { name: ' ＭetaMask', rdns: 'io.metamask.copy' }),
      connector('me.rainbow', { name: 'Rainbow', rdns: 'me.rainbow' }),
    ]
    const rows = listSignInOptions({ connectors: twins, passkey: false, password: false })
    expect(rows.map(({ rdns }) => rdns)).toEqual(['io.metamask', 'io.metamask.copy', undefined])
  })
})

/** Wallet error, as the layer passes it on. */
function passOn(thrown: unknown): CountersignError {
  try {
    return toWalletError(thrown)
  } catch (error) {
    return error as CountersignError
  }
}
const walletError = (code: unknown, message = 'no') => passOn(Object.assign(new Error(message), { code }))

test.each([
  ['4001', walletError(4001), 'refused'],
  ['4001 in a wrapper', passOn(new Error('x', { cause: new ProviderError({ code: 4001 }) })), 'refused'],
  ['a wrapper of ethers', walletError('ACTION_REJECTED'), 'refused'],
  ['WalletConnect’s 5000', walletError(5000), 'refused'],
  ['words without a code', walletError(undefined, 'User rejected the request.'), 'refused'],
  ['-32002', walletError(-32002), 'pending'],
  ['-32603', walletError(-32603), 'failed'],
  ['208', new CountersignError('AccountAlreadyLinked', 'this auth is already used', { status: 409 }), 'taken'],
  ['429', new CountersignError('RequestLimitExceeded', 'x', { status: 429 }), 'limited'],
  ['no server', new CountersignError('ConnectionFailed', 'x', { reason: 'serverUnreachable' }), 'offline'],
  ['a server in trouble', new CountersignError('InternalServerError', 'x', { status: 500 }), 'offline'],
  [
    'no node of the chain',
    new CountersignError('ConnectionFailed', 'could not be checked', { status: 400 }),
    'unchecked',
  ],
  ['209', new CountersignError('InvalidSessionToken', 'x'), 'ended'],
  ['a passkey that was not used', new PasskeyError('passkeyUnsupported'), 'failed'],
] as const)('a failure is read for what it means: %s', (_, error, refusal) => {
  expect(readRefusal(error)).toBe(refusal)
})

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0',
    'Instagram',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) [FBAN/FBIOS;FBAV/480.0]', 'Facebook'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/130.0 Mobile', 'this app'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile MetaMaskMobile', 'MetaMask'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36', undefined],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', undefined],
])('an app’s own browser is known by its user agent: %s', (userAgent, app) => {
  expect(findInAppBrowser(userAgent)).toBe(app)
})
