/** Agents that work with many models are given the keys of many. */
export const PROVIDERS: readonly string[] = [
  ...['ANTHROPIC_*', 'OPENAI_*', 'AZURE_OPENAI_*', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_*', 'GROQ_*'],
  ...['MISTRAL_*', 'DEEPSEEK_*', 'XAI_*', 'OLLAMA_*', 'LM_STUDIO_*', 'LITELLM_*', 'DATABRICKS_*'],
  ...['TOGETHER_*', 'FIREWORKS_*'],
]
