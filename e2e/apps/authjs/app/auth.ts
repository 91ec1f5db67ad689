import { Auth, type AuthConfig } from '@auth/core'

type Wallet = { account: string; provenAt: string }

const config = (): AuthConfig => ({
  basePath: '/auth',
  trustHost: true,
  secret: 'secret of a test',
  providers: [
    {
      id: 'countersign',
      name: 'Countersign',
      type: 'oidc',
      issuer: `${process.env.COUNTERSIGN_URL}/oidc`,
      clientId: process.env.CLIENT_ID ?? '',
      clientSecret: process.env.CLIENT_SECRET ?? '',
      authorization: { params: { scope: 'openid profile wallets' } },
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
  callbacks: {
    jwt: ({ token, profile }) => (profile ? { ...token, wallets: profile.wallets } : token),
    session: ({ session, token }) => ({ ...session, wallets: token.wallets }),
  },
})

export const handleAuth = (request: Request) => Auth(request, config())

/** The session of a page, by its cookies. */
export async function readSession(
  cookie: string | null,
): Promise<{ user?: { name?: string }; wallets?: Wallet[] } | null> {
  const request = new Request('http://localhost/auth/session', { headers: { cookie: cookie ?? '' } })
  return (await handleAuth(request)).json()
}
