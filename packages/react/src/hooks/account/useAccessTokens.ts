'use client'

import { createAccessToken, listAccessTokens, revokeAccessToken } from '../../core/account/accessTokens.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { AccessToken } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const tokensReading = /*#__PURE__*/ defineAccountReading('listAccessTokens', (client, _: undefined, options) =>
  listAccessTokens(client, options),
)

/**
 * Access tokens of the user's account. They are read again after one of them is created or revoked.
 *
 * @example
 * const tokens = useAccessTokens()
 * if (tokens.status === 'success') return tokens.data.map(({ objectId, name }) => <p key={objectId}>{name}</p>)
 */
export function useAccessTokens<Selected = readonly AccessToken[]>(
  options?: ReadOptions<readonly AccessToken[], Selected>,
): UseAsync<Selected> {
  return useReading(tokensReading(useClient(), undefined), options)
}

export type UseCreateAccessToken = ActionHook<'createAccessToken', typeof createAccessToken>

/**
 * Creates a personal access token for a program; `data.token` is shown once.
 *
 * @example
 * const { createAccessToken, data, status } = useCreateAccessToken()
 * if (status === 'success') return <code>{data.token}</code>
 * return <button onClick={() => createAccessToken({ name: 'Export', scopes: ['Score:read'] })}>New token</button>
 */
export function useCreateAccessToken(): UseCreateAccessToken {
  return useAction('createAccessToken', createAccessToken)
}

export type UseRevokeAccessToken = ActionHook<'revokeAccessToken', typeof revokeAccessToken>

/**
 * Revokes one of the user's access tokens.
 *
 * @example
 * const { revokeAccessToken, status } = useRevokeAccessToken()
 * <button disabled={status === 'pending'} onClick={() => revokeAccessToken({ objectId: token.objectId })}>Revoke</button>
 */
export function useRevokeAccessToken(): UseRevokeAccessToken {
  return useAction('revokeAccessToken', revokeAccessToken)
}
