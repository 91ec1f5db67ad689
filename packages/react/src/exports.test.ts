// @vitest-environment node
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as core from './core.ts'
import * as index from './index.ts'

test('the export list of @countersign/react/core', () => {
  expect(Object.keys(core).sort()).toEqual([
    'CountersignError',
    'MissingProviderError',
    'NotAuthenticatedError',
    'ValidationError',
    'changePassword',
    'createClient',
    'deleteUser',
    'errorCodes',
    'getUser',
    'initialize',
    'listOutbox',
    'listSessions',
    'logIn',
    'logOut',
    'refetchUser',
    'request',
    'requestEmailVerification',
    'requestPasswordReset',
    'resetPassword',
    'revokeOtherSessions',
    'revokeSession',
    'saveUser',
    'signUp',
    'verifyEmail',
  ])
})

test('the export list of @countersign/react', () => {
  expect(Object.keys(index).sort()).toEqual([
    'CountersignError',
    'CountersignProvider',
    'MissingProviderError',
    'NotAuthenticatedError',
    'ValidationError',
    'createClient',
    'errorCodes',
    'useChangePassword',
    'useClient',
    'useDeleteUser',
    'useInitialization',
    'useLogIn',
    'useLogOut',
    'useOutbox',
    'useRefetchUser',
    'useRequestEmailVerification',
    'useRequestPasswordReset',
    'useResetPassword',
    'useRevokeOtherSessions',
    'useRevokeSession',
    'useSaveUser',
    'useSession',
    'useSessions',
    'useSignUp',
    'useUser',
    'useVerifyEmail',
  ])
})

test('the entry with hooks is for the client side of a page', async () => {
  const text = await readFile(new URL('./index.ts', import.meta.url), 'utf8')
  expect(text.startsWith("'use client'\n")).toBe(true)
})
