import type { ProviderSettings, ReadyProvider } from '../config/providerSettings.ts'
import { type Claims, type ProviderProfile, profileOf } from './readProfile.ts'

export type Settings = ProviderSettings & { kind: 'oidc' | ReadyProvider }

type Facts = {
  label: string
  scopes: string[]
  trustsEmail: boolean
  /** OpenID Connect: found by discovery. */
  issuer?: (settings: Settings) => string
  /** Hosts that its discovery document names besides the issuer's. */
  hosts?: string[]
  /** OAuth 2: an access token, and a profile that is read with it. */
  endpoints?: { issuer: string; authorizationUrl: string; tokenUrl: string; profileUrl: string; emailsUrl?: string }
  readProfile?: (profile: Claims, emails: unknown) => ProviderProfile
  tokenAuth?: 'post' | 'basic'
  /** Parameters of the authorization request. */
  parameters?: { [name: string]: string }
  /** Parameters that have the person prove themselves again. */
  fresh?: { [name: string]: string }
}

/** From the public documentation of each. */
export const knownProviders: { [Kind in 'oidc' | ReadyProvider]: Facts } = {
  oidc: {
    label: 'OpenID Connect',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: false,
    issuer: ({ issuer }) => String(issuer),
    fresh: { prompt: 'login', max_age: '0' },
  },
  google: {
    label: 'Google',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: true,
    issuer: () => 'https://accounts.google.com',
    hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
    fresh: { prompt: 'select_account' },
  },
  apple: {
    label: 'Apple',
    scopes: ['openid', 'email', 'name'],
    trustsEmail: true,
    issuer: () => 'https://appleid.apple.com',
    // Apple responds with a form if an address or a name is requested.
    parameters: { response_mode: 'form_post' },
  },
  microsoft: {
    label: 'Microsoft',
    scopes: ['openid', 'email', 'profile'],
    // The administrator of any tenant can write any address into it.
    trustsEmail: false,
    issuer: ({ tenant = 'common' }) => `https://login.microsoftonline.com/${tenant}/v2.0`,
    hosts: ['graph.microsoft.com'],
    fresh: { prompt: 'login' },
  },
  gitlab: {
    label: 'GitLab',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: true,
    issuer: ({ issuer = 'https://gitlab.com' }) => issuer,
  },
  twitch: {
    label: 'Twitch',
    scopes: ['openid', 'user:read:email'],
    trustsEmail: true,
    issuer: () => 'https://id.twitch.tv/oauth2',
    parameters: { claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null}}' },
    fresh: { force_verify: 'true' },
  },
  github: {
    label: 'GitHub',
    scopes: ['read:user', 'user:email'],
    trustsEmail: true,
    endpoints: {
      issuer: 'https://github.com/login/oauth',
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      profileUrl: 'https://api.github.com/user',
      emailsUrl: 'https://api.github.com/user/emails',
    },
    fresh: { prompt: 'select_account' },
    readProfile({ id, login }, emails) {
      // The address of the public profile is unverified; those of the account have a flag.
      const primary = (Array.isArray(emails) ? (emails as Claims[]) : []).find((each) => each?.primary === true)
      return profileOf(id, login, primary?.email, primary?.verified === true)
    },
  },
  discord: {
    label: 'Discord',
    scopes: ['identify', 'email'],
    trustsEmail: true,
    endpoints: {
      issuer: 'https://discord.com',
      authorizationUrl: 'https://discord.com/oauth2/authorize',
      tokenUrl: 'https://discord.com/api/oauth2/token',
      profileUrl: 'https://discord.com/api/users/@me',
    },
    fresh: { prompt: 'consent' },
    readProfile: ({ id, username, email, verified }) => profileOf(id, username, email, verified === true),
  },
  x: {
    label: 'X',
    scopes: ['users.read', 'tweet.read'],
    trustsEmail: false,
    tokenAuth: 'basic',
    endpoints: {
      issuer: 'https://x.com',
      authorizationUrl: 'https://x.com/i/oauth2/authorize',
      tokenUrl: 'https://api.x.com/2/oauth2/token',
      profileUrl: 'https://api.x.com/2/users/me',
    },
    readProfile({ data }) {
      const { id, username } = (data ?? {}) as Claims
      return profileOf(id, typeof username === 'string' ? `@${username}` : undefined, undefined, false)
    },
  },
}
