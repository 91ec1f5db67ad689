/** The application id or a key is wrong. The wire gives this refusal no code. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
}
