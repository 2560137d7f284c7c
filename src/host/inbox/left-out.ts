/** Decisions whose record was changed in the store keep nobody from exporting the others: a line says which, and why. */
import { isAltered } from '../../model/failure.ts'

export interface LeftOut {
  readonly leftOut: { readonly decision: string; readonly problem: string }
}

export async function orLeftOut<T>(decision: string, show: () => Promise<T>): Promise<T | LeftOut> {
  try {
    return await show()
  } catch (error) {
    if (!isAltered(error)) throw error
    return { leftOut: { decision, problem: error.message } }
  }
}
