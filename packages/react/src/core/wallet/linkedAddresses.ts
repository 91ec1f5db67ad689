import type { UserFields } from '../wire/readRecord.ts'
import type { Signer } from './Signer.ts'

const fields = { eip155: ['ethAddress', 'accounts'], solana: ['solAddress', 'solAccounts'] } as const

/** The addresses of the user's proven wallets, the primary one first. The server alone writes these fields (D6). */
export function linkedAddresses(user: UserFields, namespace: Signer['namespace']): string[] {
  return fields[namespace].flatMap((name) => user[name] ?? []).filter((value) => typeof value === 'string')
}
