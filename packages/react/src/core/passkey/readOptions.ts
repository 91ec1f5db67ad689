import type { WireFields } from '@countersign/protocol'
import { fromBase64url } from './base64url.ts'

type CreationJson = PublicKeyCredentialCreationOptionsJSON
type RequestJson = PublicKeyCredentialRequestOptionsJSON

/** The server's options as the browser takes them; by hand where the browser cannot read JSON itself. */
export function readCreationOptions(wire: WireFields): PublicKeyCredentialCreationOptions {
  const json = wire as unknown as CreationJson
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(json)
  return {
    ...(json as object as PublicKeyCredentialCreationOptions),
    challenge: fromBase64url(json.challenge),
    user: { ...json.user, id: fromBase64url(json.user.id) },
    excludeCredentials: readDescriptors(json.excludeCredentials),
  }
}

export function readRequestOptions(wire: WireFields): PublicKeyCredentialRequestOptions {
  const json = wire as unknown as RequestJson
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential) return PublicKeyCredential.parseRequestOptionsFromJSON(json)
  return {
    ...(json as object as PublicKeyCredentialRequestOptions),
    challenge: fromBase64url(json.challenge),
    allowCredentials: readDescriptors(json.allowCredentials),
  }
}

function readDescriptors(list: PublicKeyCredentialDescriptorJSON[] = []): PublicKeyCredentialDescriptor[] {
  return list.map((entry) => ({ ...entry, id: fromBase64url(entry.id) }) as object as PublicKeyCredentialDescriptor)
}
