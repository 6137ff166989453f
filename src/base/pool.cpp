#include "base/pool.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinew {
namespace {

/// Default chunks per thread: enough for a thread with cheap worlds to take over work from others.
constexpr int kTurns = 8;

}  // namespace

Pool::Pool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  threads = std::min(threads, kMostThreads);
  helpers_.reserve(static_cast<std::size_t>(threads - 1));
  try {
    for (int t = 1; t < threads; ++t) helpers_.emplace_back([this, t] { help(t); });
  } catch (const std::exception&) {  // out of threads or memory
  }
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  started_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Pool::run(int count, const Job& job, int chunk) {
  const std::lock_guard one_at_a_time(callers_);
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    count_ = count;
    chunk_ = chunk > 0 ? chunk : std::max(1, count / (kTurns * threads()));
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<int>(helpers_.size());
    ++run_;
  }
  started_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
  job_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Pool::help(int thread) {
  unsigned seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    started_.wait(lock, [&] { return stopping_ || run_ != seen; });
    if (stopping_) return;
    seen = run_;
    lock.unlock();
    work(thread);
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

void Pool::work(int thread) {
  for (;;) {
    const std::int64_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
    if (begin >= count_) return;
    const int end = static_cast<int>(std::min<std::int64_t>(begin + chunk_, count_));
    for (int i = static_cast<int>(begin); i < end; ++i) {
      try {
        (*job_)(thread, i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (failure_ && failed_index_ < i) continue;
        failure_ = std::current_exception();
        failed_index_ = i;
      }
    }
  }
}

void for_each_index(int count, int threads, const Pool::Job& job) {
  Pool(std::clamp(threads, 1, std::max(count, 1))).run(count, job, 1);
}

}  // namespace sinew
