import { getIronSession } from 'iron-session'
import { cookies } from 'next/headers'

export async function getSession() {
  return getIronSession<{ nonce?: string; address?: string }>(await cookies(), {
    cookieName: 'siwe',
    password: 'a password of at least thirty-two letters',
    cookieOptions: { secure: false },
  })
}
