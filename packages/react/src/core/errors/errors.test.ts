// @vitest-environment node
import { readFileSync } from 'node:fs'
import { CountersignError } from '@countersign/protocol'
import { describe, expect, test } from 'vitest'
import { HelperError } from '../chain/ethers.ts'
import { missingUser } from '../client/guards.ts'
import { uploadFile } from '../documents/uploadFile.ts'
import { readAnswer } from '../http/sendRequest.ts'
import { getUser } from '../session/getUser.ts'
import { signInWithPasskey } from '../session/signInWithPasskey.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { createClient } from '../setup/createClient.ts'
import { missingAccount, toWalletError } from '../wallet/connection/askProvider.ts'
import { missingWallet } from '../wallet/proof/missingWallet.ts'
import { changedAccount } from '../wallet/proof/signText.ts'
import {
  cancelled,
  MissingProviderError,
  NotAuthenticatedError,
  toCountersignError,
  ValidationError,
} from './errors.ts'
import { PasskeyError } from './PasskeyError.ts'
import { ProviderError, RevertError, WrongChainError } from './walletErrors.ts'

const page = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8')

function caught(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

/** Numeric code, a sentence, details for developers, and a link that leads somewhere. */
function expectWhole(error: unknown): void {
  if (!(error instanceof CountersignError)) throw new Error(`${error} is not a CountersignError`)
  expect(Number.isInteger(error.code)).toBe(true)
  expect(error.message).toMatch(/\S/)
  expect(error.details).toMatch(/\S.*[.:)\w]$/s)
  const [, anchor] = /^https:.+\/errors\.md#(\w+)$/.exec(error.docsUrl) ?? []
  expect(page).toMatch(new RegExp(`<a id="${anchor}"></a>|^\\| \`${anchor}\` \\|`, 'm'))
  expect(page).toContain(`<a id="${error.code}"></a>`)
}

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  caught(() => readAnswer(new Response(JSON.stringify(body), { status, headers }), JSON.stringify(body)))

const refusal = { code: 4001, message: 'User rejected the request.', data: { from: 'the wallet' } }

describe('R11, R15, R16, R22: every error is whole', () => {
  const errors: [string, unknown][] = [
    ['missing provider', new MissingProviderError()],
    ['not authenticated', new NotAuthenticatedError('User needs to be authenticated before setting new data')],
    ['passkey unsupported', new PasskeyError('passkeyUnsupported')],
    ['passkey cancelled', new PasskeyError(new DOMException('no', 'NotAllowedError'))],
    ['revert', new RevertError({ reason: 'too late' })],
    ['validation', new ValidationError('chainId can only be a number type')],
    ['helper', new HelperError('unsupported provider', 'INVALID_ARGUMENT', 'give another')],
    ['wrong chain', new WrongChainError(1, 10)],
    ['other code', toCountersignError(new TypeError('x is not a function'))],
    ['what is no error at all', toCountersignError('no')],
    ['cancelled', cancelled(AbortSignal.abort())],
    ['no user', missingUser('save')],
    ['no account', missingAccount()],
    ['changed account', changedAccount()],
    ['no wallet', missingWallet()],
    ['the wallet refused', caught(() => toWalletError(new ProviderError(refusal)))],
    ['the wallet threw a text', caught(() => toWalletError('closed'))],
    ['the server refused', answer(400, { code: 202, error: 'Account already exists for this username.' })],
    ['the server refused without a code', answer(403, { error: 'unauthorized' })],
    ['the server failed', answer(500, { code: 1, error: 'Internal server error.' })],
    ['too many requests', answer(429, { code: 155, error: 'Too many requests.' })],
    ['no JSON', caught(() => readAnswer(new Response('<html>'), '<html>'))],
  ]
  test.each(errors)('%s', (_, error) => expectWhole(error))

  test('also those of actions before initialize, and of input that cannot be right', async () => {
    const client = createClient()
    const failures = await Promise.all([
      signInWithPassword(client, { username: 'ada', password: 'x' }, { throwOnError: true }).catch((error) => error),
      signInWithPassword(client, { username: '', password: 'x' }, { throwOnError: true }).catch((error) => error),
      signInWithPasskey(client, { throwOnError: true }).catch((error) => error),
      uploadFile(client, { file: 'text' as never }).catch((error) => error),
    ])
    for (const error of failures) expectWhole(error)
    expect(getUser(client)).toBeUndefined()
  })
})

test('R22: the server’s own text, and the request id that its log has it under', () => {
  const error = answer(400, { code: 137, error: 'A unique value is taken.' }, { 'X-Request-Id': 'req-42' })
  expect(error).toMatchObject({ code: 137, message: 'A unique value is taken.', status: 400 })
  expect((error as CountersignError).details).toContain('req-42')
})

test('R16: a wallet’s refusal keeps code and data', () => {
  const error = caught(() => toWalletError(new ProviderError(refusal)))
  expect(error).toMatchObject({ message: refusal.message, cause: { code: 4001, data: { from: 'the wallet' } } })
  expect((error as CountersignError).details).toContain('4001')
})

test('R23: 429 carries the values of the limit headers, whichever their spelling', () => {
  const standard = { 'RateLimit-Limit': '10', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '42', 'Retry-After': '42' }
  const rateLimit = { limit: 10, remaining: 0, reset: 42, retryAfter: 42 }
  expect(answer(429, { error: 'Slow down.' }, standard)).toMatchObject({ code: 155, status: 429, rateLimit })
  const older = { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '42' }
  expect(answer(429, {}, older)).toMatchObject({ rateLimit: { limit: 10, remaining: 0, reset: 42 } })
  const { message } = answer(429, { error: 'Slow down.' }, standard) as Error
  expect(message).toBe('Rate limited: Slow down. (limit 10, remaining 0, reset 42, retry after 42)')
})
