// @vitest-environment node
import { type reasons, refuse } from '@countersign/protocol'
import { describe, expect, test } from 'vitest'
import * as core from '../../core.ts'
import * as errors from '../../errors.ts'
import * as index from '../../index.ts'
import { readAnswer } from '../http/sendRequest.ts'
import { askProvider, toWalletError } from '../wallet/connection/askProvider.ts'

const classes = Object.entries(errors).filter(([name]) => !['CountersignError', 'ProviderError'].includes(name))

function caught(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return expect.fail('it should have failed')
}

/** Error of the server, as the client reads it. */
function refusedWith(reason: keyof typeof reasons): Error {
  const { code, message, status, params } = refuse(reason)
  const text = JSON.stringify({ code, error: message, reason, params })
  return caught(() => readAnswer(new Response(text, { status }), text))
}

describe('a class for each reason', () => {
  test.each([
    ['reauthenticationRequired', errors.ReauthenticationRequiredError],
    ['rateLimited', errors.RateLimitedError],
    ['invalidCredentials', errors.InvalidCredentialsError],
    ['usernameTaken', errors.UsernameTakenError],
    ['emailTaken', errors.EmailTakenError],
    ['emailNotVerified', errors.EmailNotVerifiedError],
    ['accountDeletionPending', errors.AccountDeletionPendingError],
    ['accountAlreadyLinked', errors.AccountAlreadyLinkedError],
    ['lastSignInMethod', errors.LastSignInMethodError],
    ['objectNotFound', errors.DocumentNotFoundError],
    ['nodeUnavailable', errors.NodeUnavailableError],
  ] as const)('the server’s refusal %s is an instance of its class', (reason, Kind) => {
    const error = refusedWith(reason)
    expect(error).toBeInstanceOf(Kind)
    expect(error).toBeInstanceOf(errors.CountersignError)
    const others = classes.filter(([, other]) => other !== Kind && error instanceof other)
    expect(others.map(([name]) => name)).toEqual([])
  })

  test('a new error has the reason, number, name and page of the table', () => {
    for (const Kind of [errors.UserRejectedError, errors.LastSignInMethodError, errors.CancelledError]) {
      const error = new Kind('A sentence.', { details: 'More.' })
      const known = refuse(error.reason)
      expect(error).toMatchObject({ name: Kind.name, message: 'A sentence.', details: 'More.', code: known.code })
      expect(error.docsUrl).toMatch(new RegExp(`^https://.+#${error.reason}$`))
      expect(error).toBeInstanceOf(Kind)
    }
  })

  test('every entry has the same classes', () => {
    const shared = classes.filter(([name]) => name in core)
    expect(shared.length).toBeGreaterThanOrEqual(7)
    for (const [name, Kind] of shared) expect(new Map(Object.entries(core)).get(name)).toBe(Kind)
    expect(index.CountersignError).toBe(core.CountersignError)
  })

  test('an object that only looks like one is not an instance', () => {
    expect({ reason: 'userRejected' } instanceof errors.UserRejectedError).toBe(false)
    expect(Object('userRejected') instanceof errors.UserRejectedError).toBe(false)
  })
})

describe('a wallet’s refusal is a UserRejectedError', () => {
  test.each([
    ['EIP-1193', { code: 4001, message: 'no' }],
    ['WalletConnect', { code: 5000, message: 'no' }],
    ['ethers', { code: 'ACTION_REJECTED', message: 'no' }],
    ['wrapped by a library', new Error('Internal JSON-RPC error.', { cause: { code: 4001, message: 'no' } })],
    ['in words alone', new Error('MetaMask Tx Signature: User denied transaction signature.')],
  ])('by %s', async (_, refusal) => {
    expect(caught(() => toWalletError(refusal))).toBeInstanceOf(errors.UserRejectedError)
    const provider = { request: () => Promise.reject(refusal) }
    const { signal } = new AbortController()
    await expect(askProvider(provider, 'personal_sign', [], signal)).rejects.toMatchObject({ reason: 'userRejected' })
  })

  test.each([
    ['a prompt that is open already', { code: -32002, message: 'Request already pending.' }],
    ['what a contract says', { code: 3, message: 'execution reverted: user rejected' }],
    ['a broken node', new Error('fetch failed')],
  ])('%s is not an instance', (_, failure) => {
    expect(caught(() => toWalletError(failure))).not.toBeInstanceOf(errors.UserRejectedError)
  })
})
