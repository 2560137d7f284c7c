/** Whole numbers from arguments. */
import { InvalidArgumentError } from 'commander'

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError(`"${text}" is not a whole number above zero`)
  return value
}

/** 0 for any that is free. */
export function portNumber(text: string): number {
  const value = text === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError(`"${text}" is not a port: a whole number up to 65535, or 0 for any`)
  return value
}
