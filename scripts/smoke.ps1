# Asks a running weir one thing of each kind and says what came back. Windows PowerShell 5 and newer.
#
#     powershell -ExecutionPolicy Bypass -File scripts\smoke.ps1 [-BaseUrl http://127.0.0.1:8090]
#
# $env:WEIR_KEY          a key of [[server.keys]], when weir asks for one
# $env:WEIR_SMOKE_WORDS  length of the long prompt in words, about one token each; default 40000 (more than the default
#                        threshold of 32768). It goes to the cloud and is paid for there.
# Exit: 0 all passed, 1 something failed.
param([string]$BaseUrl = "http://127.0.0.1:8090")

Set-StrictMode -Version 2
$ErrorActionPreference = "Stop"
$BaseUrl = $BaseUrl.TrimEnd("/")
$words = 40000
if ($env:WEIR_SMOKE_WORDS) { $words = [int]$env:WEIR_SMOKE_WORDS }
$script:failed = 0
# Without these .NET asks a proxy for loopback addresses and waits for "100 Continue".
[System.Net.WebRequest]::DefaultWebProxy = $null
[System.Net.ServicePointManager]::Expect100Continue = $false

# An answer of any status as Status, Body and Headers; status 0 when there was none, with the reason as Body.
# (Invoke-WebRequest throws for 404, and differently in PowerShell 5 and 7.)
function Invoke-Weir([string]$Path, [string]$Body) {
    try {
        $request = [System.Net.HttpWebRequest][System.Net.WebRequest]::Create($BaseUrl + $Path)
        $request.Timeout = 600000
        $request.ReadWriteTimeout = 600000
        if ($env:WEIR_KEY) { $request.Headers.Add("Authorization", "Bearer " + $env:WEIR_KEY) }
        if ($Body) {
            $bytes = [System.Text.Encoding]::UTF8.GetBytes($Body)
            $request.Method = "POST"
            $request.ContentType = "application/json"
            $request.ContentLength = $bytes.Length
            $stream = $request.GetRequestStream()
            $stream.Write($bytes, 0, $bytes.Length)
            $stream.Close()
        }
        $response = $request.GetResponse()
    } catch {
        $fault = $_.Exception
        while ($fault -and -not ($fault -is [System.Net.WebException])) { $fault = $fault.InnerException }
        if (-not $fault -or -not $fault.Response) {
            return @{ Status = 0; Body = $_.Exception.Message; Headers = @{} }
        }
        $response = $fault.Response
    }
    $reader = New-Object System.IO.StreamReader($response.GetResponseStream(), [System.Text.Encoding]::UTF8)
    $text = $reader.ReadToEnd()
    $answer = @{ Status = [int]$response.StatusCode; Body = $text; Headers = $response.Headers }
    $response.Close()
    return $answer
}

function Write-Verdict([string]$Name, [bool]$Passed, $Answer) {
    $told = "status $($Answer.Status)"
    $route = $Answer.Headers["X-Weir-Route"]
    if ($route) {
        $reason = $Answer.Headers["X-Weir-Reason"]
        $tokens = $Answer.Headers["X-Weir-Prompt-Tokens"]
        $told = "$told, X-Weir-Route: $route ($reason, $tokens tokens)"
    }
    if ($Passed) {
        Write-Output "PASS ${Name}: $told"
        return
    }
    Write-Output "FAIL ${Name}: $told"
    $shown = [string]$Answer.Body
    Write-Output ("     " + $shown.Substring(0, [Math]::Min(300, $shown.Length)))
    $script:failed = 1
}

# ASCII only, so that this file means the same in every code page; \u escapes are JSON's.
function New-Chat([string]$Stream, [string]$Text) {
    return '{"model":"auto","max_tokens":16,"stream":' + $Stream + ',"messages":[{"role":"user","content":"' + $Text + '"}]}'
}

Write-Output "weir at $BaseUrl"
$chatPath = "/v1/chat/completions"

$answer = Invoke-Weir "/health" ""
Write-Verdict "health" ($answer.Status -eq 200) $answer

$answer = Invoke-Weir "/v1/models" ""
Write-Verdict "models" ($answer.Status -eq 200 -and $answer.Body.Contains('"data"')) $answer

$answer = Invoke-Weir $chatPath (New-Chat "false" "Say hello. \u7528\u4e2d\u6587\u4e5f\u8bf4\u4e00\u6b21\u3002")
$shortRoute = $answer.Headers["X-Weir-Route"]
Write-Verdict "short" ($answer.Status -eq 200 -and $answer.Body.Contains('"choices"')) $answer

$answer = Invoke-Weir $chatPath (New-Chat "false" ("How often does the word occur? " + ("river " * $words)))
$elsewhere = $answer.Headers["X-Weir-Route"] -ne $shortRoute
Write-Verdict "long ($words words)" ($answer.Status -eq 200 -and $elsewhere -and $answer.Body.Contains('"choices"')) $answer

$answer = Invoke-Weir $chatPath (New-Chat "true" "Count to three.")
$isStream = ([string]$answer.Headers["Content-Type"]).StartsWith("text/event-stream")
Write-Verdict "stream" ($answer.Status -eq 200 -and $isStream -and $answer.Body.Contains("data: [DONE]")) $answer

$answer = Invoke-Weir "/v1/chat/completion" (New-Chat "false" "lost")
$isOurs = $answer.Headers["X-Weir-Error"] -eq "not_found"
Write-Verdict "wrong path (404 wanted)" ($answer.Status -eq 404 -and $isOurs -and $answer.Body.Contains('"error"')) $answer

exit $script:failed
