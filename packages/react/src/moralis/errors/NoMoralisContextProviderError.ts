import { errorCodes } from '@countersign/protocol'
import { ReactMoralisError } from './ReactMoralisError.ts'

/** A hook was used outside `<MoralisProvider>` (R11). */
export class NoMoralisContextProviderError extends ReactMoralisError {
  override readonly name: string = 'NoMoralisContextProviderError'

  constructor(message: string) {
    super(message, errorCodes.NotInitialized, {
      details: 'If it is, look for a second copy of @countersign/react (npm ls @countersign/react).',
    })
  }
}
