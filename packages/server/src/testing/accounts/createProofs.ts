import { sql } from '../../db/sql.ts'
import { createWallet } from '../chain/createWallet.ts'
import type { TestServer } from '../createTestServer.ts'
import { askChallenge, asker, present, type Signer } from '../signIn.ts'

/** Proofs of wallets, and a check that one opens nothing. */
export function createProofs(serverOf: () => TestServer) {
  async function signed(signer: Signer = createWallet(), change: (message: string) => string = (text) => text) {
    const challenge = await askChallenge(serverOf(), signer.address)
    const message = change(challenge.body.message as string)
    return { message, signature: await signer.signMessage({ message }), signer }
  }

  const sessions = async () => (await serverOf().context.db.query(sql`select 1 from "_Session"`)).length

  /** Presents a proof that must not open anything. */
  async function expectRefused(proof: object, status = 401, headers = asker as Record<string, string>) {
    const before = await sessions()
    const answer = await present(serverOf(), proof, headers)
    const after = await sessions()
    if (answer.status !== status || after !== before)
      throw new Error(`Not refused with ${status}: ${answer.status}, ${after - before} sessions more. ${answer.text}`)
    return answer
  }

  return { sessions, signed, expectRefused }
}
