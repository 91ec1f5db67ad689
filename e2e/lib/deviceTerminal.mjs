// A terminal program of somebody else: `node deviceTerminal.mjs ISSUER CLIENT_ID` signs a person in by the device flow.
import * as openid from 'openid-client'

const [issuer = '', clientId = ''] = process.argv.slice(2)
const config = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
  execute: [openid.allowInsecureRequests],
})
const started = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile' })
console.log(`Open ${started.verification_uri} and enter ${started.user_code}`)
try {
  const tokens = await openid.pollDeviceAuthorizationGrant(config, started)
  console.log(`Signed in as ${tokens.claims()?.preferred_username}`)
} catch (error) {
  console.log(`Refused: ${/** @type {{ error?: string }} */ (error).error}`)
  process.exitCode = 1
}
