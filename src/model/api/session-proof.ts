/** The headers by which a page of our own origin proves that it has the key of its session. */

/** Says which host process the page speaks to; it comes with each refusal of a page that is not signed in there. */
export const INSTANCE_HEADER = 'x-signalbox-host'
/** HMAC of the page key over `["host", INSTANCE]`, as base64url. */
export const PROOF_HEADER = 'x-signalbox'
