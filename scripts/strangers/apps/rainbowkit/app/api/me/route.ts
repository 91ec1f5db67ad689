import { getSession } from '../../../lib/session'

export async function GET() {
  const { address } = await getSession()
  return Response.json({ address })
}
