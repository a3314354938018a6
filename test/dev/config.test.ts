import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../../src/config/config.js'

const required = {
  DATABASE_URL: 'postgres://parley:secret@localhost:5432/parley',
  REDIS_URL: 'redis://localhost:6379',
  SECRET_KEY: 'x'.repeat(32),
}

describe('The configuration', () => {
  test('The configuration needs a database, a Redis and a secret, and has defaults for the rest.', () => {
    expect(parseConfig(required)).toMatchObject({ ...required, HOST: '127.0.0.1', PORT: 9991, RATE_LIMITS: 'on' })
  })

  test('The error names every invalid variable at once.', () => {
    const wrong = { ...required, SECRET_KEY: 'short', PORT: '99999', NODE_ENV: 'staging', DATABASE_URL: 'mysql://x' }
    const message = messageFor(wrong)
    for (const name of ['SECRET_KEY', 'PORT', 'NODE_ENV', 'DATABASE_URL']) expect(message).toContain(name)
    expect(message).not.toContain('REDIS_URL')
  })

  test('The error says that a missing variable is required.', () => {
    expect(messageFor({ ...required, REDIS_URL: undefined })).toMatch(/is required\s+→ at REDIS_URL/)
  })

  test('An empty variable counts as not set.', () => {
    expect(parseConfig({ ...required, PORT: '', ROOT_REALM: '' })).toMatchObject({ PORT: 9991 })
    expect(messageFor({ ...required, SECRET_KEY: '' })).toContain('SECRET_KEY')
  })

  test('The key of an S3 bucket needs both of its parts.', () => {
    expect(messageFor({ ...required, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me' })).toContain('S3_SECRET_ACCESS_KEY')
    const both = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(parseConfig({ ...required, ...both })).toMatchObject({ ...both, S3_REGION: 'us-east-1' })
  })

  test('The parsed configuration is frozen.', () => {
    expect(Object.isFrozen(parseConfig(required))).toBe(true)
  })
})

function messageFor(env: Record<string, string | undefined>): string {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'it was accepted'
}
