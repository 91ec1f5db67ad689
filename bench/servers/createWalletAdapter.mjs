import { randomBytes } from 'node:crypto'
import { verifyMessage } from 'viem'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'

/**
 * An auth adapter in parse-server's own terms that signs in by EIP-4361: its `challenge` gives the nonce, which the
 * proof uses up. The nonces have a table of their own, which is cheaper for it than a class would be.
 *
 * @param {import('pg').Pool} pool
 * @param {string} domain
 */
export async function createWalletAdapter(pool, domain) {
  await pool.query('create table if not exists wallet_nonces (nonce text primary key, expires_at timestamptz not null)')

  const prove = async (/** @type {{ id: string, message: string, signature: `0x${string}` }} */ authData) => {
    const { message, signature } = authData
    const fields = parseSiweMessage(message)
    const { rowCount } = await pool.query({
      name: 'consumeNonce',
      text: 'delete from wallet_nonces where nonce = $1 and expires_at > now()',
      values: [fields.nonce],
    })
    const { address } = fields
    if (rowCount !== 1 || !address || address.toLowerCase() !== authData.id) throw new Error('not proven')
    if (!validateSiweMessage({ message: fields, domain })) throw new Error('not proven')
    if (!(await verifyMessage({ address, message, signature }))) throw new Error('not proven')
  }

  return {
    policy: 'solo',
    challenge: async () => {
      const nonce = randomBytes(16).toString('hex')
      await pool.query({
        name: 'createNonce',
        text: `insert into wallet_nonces (nonce, expires_at) values ($1, now() + interval '10 minutes')`,
        values: [nonce],
      })
      return { nonce }
    },
    validateSetUp: async (/** @type {Parameters<typeof prove>[0]} */ authData) => {
      await prove(authData)
      return { save: { id: authData.id } }
    },
    // Nothing to write down: the account is known by its address.
    validateLogin: async (/** @type {Parameters<typeof prove>[0]} */ authData) => {
      await prove(authData)
      return { doNotSave: true }
    },
    validateUpdate: async (/** @type {Parameters<typeof prove>[0]} */ authData) => {
      await prove(authData)
      return { doNotSave: true }
    },
  }
}
