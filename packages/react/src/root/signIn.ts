export { findSecondStep } from '../core/account/secondFactor.ts'
export { isPasskeySupported } from '../core/session/askPasskey.ts'
export { takeProviderResponse } from '../core/session/providers.ts'
