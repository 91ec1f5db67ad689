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
    'ProviderError',
    'ValidationError',
    'authenticate',
    'changePassword',
    'createClient',
    'createEip1193Signer',
    'deleteUser',
    'errorCodes',
    'getUser',
    'initialize',
    'linkWallet',
    'listActivity',
    'listOutbox',
    'listSessions',
    'listWallets',
    'listWaysIn',
    'logIn',
    'logOut',
    'merge',
    'previewMerge',
    'refetchUser',
    'request',
    'requestEmailVerification',
    'requestPasswordReset',
    'resetPassword',
    'restoreWallet',
    'revokeOtherSessions',
    'revokeSession',
    'saveUser',
    'signUp',
    'stepUp',
    'undoMerge',
    'unlinkWallet',
    'updateWallet',
    'verifyEmail',
  ])
})

test('the export list of @countersign/react', () => {
  expect(Object.keys(index).sort()).toEqual([
    'CountersignError',
    'CountersignProvider',
    'MissingProviderError',
    'NotAuthenticatedError',
    'ProviderError',
    'ValidationError',
    'createClient',
    'createEip1193Signer',
    'errorCodes',
    'useActivity',
    'useAuthenticate',
    'useChangePassword',
    'useClient',
    'useDeleteUser',
    'useInitialization',
    'useLinkWallet',
    'useLogIn',
    'useLogOut',
    'useMerge',
    'useOutbox',
    'usePreviewMerge',
    'useRefetchUser',
    'useRequestEmailVerification',
    'useRequestPasswordReset',
    'useResetPassword',
    'useRestoreWallet',
    'useRevokeOtherSessions',
    'useRevokeSession',
    'useSaveUser',
    'useSession',
    'useSessions',
    'useSignUp',
    'useStepUp',
    'useUndoMerge',
    'useUnlinkWallet',
    'useUpdateWallet',
    'useUser',
    'useVerifyEmail',
    'useWallets',
    'useWaysIn',
  ])
})

test('the entry with hooks is for the client side of a page', async () => {
  const text = await readFile(new URL('./index.ts', import.meta.url), 'utf8')
  expect(text.startsWith("'use client'\n")).toBe(true)
})
