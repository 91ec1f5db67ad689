import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { getSession } from '../../../lib/session'

export async function POST(request: Request) {
  const { message, signature } = await request.json()
  const { address, nonce } = parseSiweMessage(message)
  const session = await getSession()
  if (!address || nonce !== session.nonce || !(await verifyMessage({ address, message, signature }))) {
    return Response.json({})
  }
  session.address = address
  await session.save()
  return Response.json({ address })
}
